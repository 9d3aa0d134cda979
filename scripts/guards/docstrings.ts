import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import type { Finding } from '../finding.ts'
import { readSources } from '../workspace.ts'

/** Each export carries a doc comment, and is named: `export *` is refused, for adding a name to an entry is adding API. */
export async function checkDocstrings(root: string): Promise<readonly Finding[]> {
  return readSources(root).flatMap((file) => checkFile(file, readFileSync(join(root, file), 'utf8')))
}

function checkFile(file: string, text: string): readonly Finding[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const seen = new Set<string>()
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const isStar = statement.exportClause === undefined || ts.isNamespaceExport(statement.exportClause)
      return isStar ? [{ rule: 'export-star', file, message: `${statement.getText()} lists no names: list them one by one` }] : []
    }
    if (!isExported(statement)) return []
    const name = nameOf(statement)
    const isOverload = ts.isFunctionDeclaration(statement) && seen.has(name)
    seen.add(name)
    if (isOverload || isDocumented(statement)) return []
    return [{ rule: 'docstring', file, message: `${name} has no doc comment: say what it promises and how it fails` }]
  })
}

function isExported(statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
}

function isDocumented(statement: ts.Statement): boolean {
  return ts.getJSDocCommentsAndTags(statement).some((doc) => ts.isJSDoc(doc) && (ts.getTextOfJSDocComment(doc.comment) ?? '').trim() !== '')
}

function nameOf(statement: ts.Statement): string {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText()).join(', ')
  return (statement as Partial<ts.DeclarationStatement>).name?.getText() ?? 'an export'
}
