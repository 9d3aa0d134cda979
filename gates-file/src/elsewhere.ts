const IN_RULES = 'an item of `gates.rules`'
const IN_MARKS = 'an item of `gates.marks`'
const IN_EITHER = 'an item of `gates.rules` or `gates.marks`'

/** Where the words of the format stand: for keys that got into the wrong map. */
export const ELSEWHERE: { readonly [key: string]: string } = {
  rules: '`gates`', marks: '`gates`', external: '`gates`', allow: '`gates`', deny: '`gates`', limits: '`gates`',
  default: '`gates`', unlisted: '`gates`', reload: '`gates`',
  gate: IN_EITHER, tools: IN_EITHER, expires: IN_EITHER,
  message: IN_RULES, condition: IN_RULES, when: IN_RULES, key: IN_RULES, require: IN_RULES, otherwise: IN_RULES,
  approvers: IN_RULES, notBy: IN_RULES, quorum: IN_RULES, channel: IN_RULES, showTo: IN_RULES, annotations: IN_RULES,
  unannotated: IN_RULES,
  from: IN_MARKS, keys: IN_MARKS, keep: IN_MARKS, failedWhen: IN_MARKS, parse: IN_MARKS, uses: IN_MARKS, clear: IN_MARKS,
  calls: 'an item of `gates.limits`', sum: 'an item of `gates.limits`', max: 'an item of `gates.limits`',
  per: 'an item of `gates.limits`', repeats: 'an item of `gates.limits`',
  command: '`server`', url: '`server`', headers: '`server`',
  mode: '`typing`', lowercaseBooleans: '`typing`', invalid: '`typing`',
  call: 'an item of `examples`', expect: 'an item of `examples`',
  server: 'the outermost map', typing: 'the outermost map', gates: 'the outermost map', version: 'the outermost map',
  redact: 'the outermost map', record: 'the outermost map', userText: 'the outermost map', examples: 'the outermost map',
}
