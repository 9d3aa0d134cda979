import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import type { Finding } from '../finding.ts'
import { entriesOf, readPackages } from '../workspace.ts'

/** Compares entries' built declarations (all, unless named) with their reports in `etc/`; `npm run api` writes a change down. */
export function checkApi(root: string, names?: readonly string[]): Promise<readonly Finding[]> {
  return extractAll(root, false, names)
}

/** Writes the reports in `etc/`: all, unless named. */
export function updateApi(root: string, names?: readonly string[]): Promise<readonly Finding[]> {
  return extractAll(root, true, names)
}

async function extractAll(root: string, update: boolean, names?: readonly string[]): Promise<readonly Finding[]> {
  await mkdir(join(root, 'etc'), { recursive: true })
  const temporary = await mkdtemp(join(tmpdir(), 'callgate-api-'))
  try {
    return readPackages(root).flatMap((workspace) =>
      entriesOf(workspace)
        .filter(({ name }) => names?.includes(name) ?? true)
        .flatMap(({ name, conditions: { types = '' } }) =>
          extract({ root, folder: workspace.folder, name, types: join(workspace.folder, types), temporary, update })),
    )
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

type Extraction = {
  readonly root: string
  readonly folder: string
  readonly name: string
  readonly types: string
  readonly temporary: string
  readonly update: boolean
}

function extract({ root, folder, name, types, temporary, update }: Extraction): readonly Finding[] {
  const findings: Finding[] = []
  const report = `etc/${name}.api.md`
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, types),
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: [join(root, types)] } },
      apiReport: { enabled: true, reportFileName: name, reportFolder: join(root, 'etc'), reportTempFolder: temporary },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, folder, 'package.json'),
  })
  const result = Extractor.invoke(config, {
    localBuild: update,
    messageCallback: (message) => {
      message.handled = true
      if (message.logLevel === 'error') findings.push({ rule: message.messageId, file: types, message: message.text })
    },
  })
  if (result.apiReportChanged && !update) {
    findings.push({ rule: 'api-changed', file: report, message: 'the public API differs from its report: run npm run api and review the change' })
  }
  return findings
}

const COMPILER_OPTIONS = {
  target: 'ES2022', lib: ['ES2022', 'ESNext.Disposable'], module: 'NodeNext', moduleResolution: 'NodeNext', types: ['node'], skipLibCheck: true,
  strict: true, exactOptionalPropertyTypes: true, allowImportingTsExtensions: true, noEmit: true,
}
