import { readFile, writeFile } from 'node:fs/promises'
import { drawLayers, placePicture } from './layer-picture.ts'

const document = await readFile('ARCHITECTURE.md', 'utf8')
await writeFile('ARCHITECTURE.md', placePicture(document, await drawLayers(process.cwd())))
