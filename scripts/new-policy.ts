import { scaffoldPolicy } from './scaffold-policy.ts'

const [name = ''] = process.argv.slice(2)
try {
  const files = await scaffoldPolicy(process.cwd(), name)
  for (const file of files) console.log(file)
  console.log('Next: write what it does and the test that fails without it, then list its name in core/src/index.ts and run npm run api.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
