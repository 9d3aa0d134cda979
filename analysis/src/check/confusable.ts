/** Letters that look like others, by what they are taken for; the common ones of Cyrillic and Greek. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [
    ...'аa еe оo рp сc уy хx ѕs іi јj һh ԁd ԛq ԝw ɡg ӏl ьb'.split(' '),
    ...'αa εe οo ρp νv υu ιi κk τt ωw ϲc ϳj'.split(' '),
    ...'АA ВB ЕE КK МM НH ОO РP СC ТT ХX ІI ЅS ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX'.split(' '),
    '0o', '1l', 'Il', '|l',
  ].map((pair): readonly [string, string] => [Array.from(pair)[0] ?? '', Array.from(pair)[1] ?? '']),
)

/** What a name looks like: two names that look alike have the same one. */
export function lookOf(name: string): string {
  const bare = name.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}]/gu, '')
  return Array.from(bare, (letter) => LOOKALIKES.get(letter) ?? letter).join('').toLowerCase()
}
