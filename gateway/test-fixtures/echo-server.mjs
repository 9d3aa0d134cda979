// Sends back the bytes it gets, and appends them to the file it is given: it never parses and never prints a message.
import { createWriteStream } from 'node:fs'

const record = createWriteStream(process.argv[2])
process.stdin.pipe(record)
process.stdin.pipe(process.stdout)
