import { bundleCommandLine } from './bundle-command-line.ts'

await bundleCommandLine(process.cwd())
