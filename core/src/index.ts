export { sha256Hex } from "./model/digest.ts"
