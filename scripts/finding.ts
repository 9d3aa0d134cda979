/** One breach that a guard found: the guard's own rule, the file (relative to the root, `/` between folders), what to do. */
export type Finding = { readonly rule: string; readonly file: string; readonly message: string }

/** Looks at the tree below `root` and returns what breaks its rules; rejects where the tool itself failed. */
export type Guard = (root: string) => Promise<readonly Finding[]>
