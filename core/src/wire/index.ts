export { decodeString, duplicateKey, memberOf, scanJson } from '../model/json-text.ts'
export type { JsonMember, JsonNode } from '../model/json-text.ts'
