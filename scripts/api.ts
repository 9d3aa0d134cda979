import { updateApi } from './guards/api.ts'
import { report } from './report.ts'

process.exitCode = report('api', await updateApi(process.cwd()))
