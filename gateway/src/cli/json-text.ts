import { WireNumber } from '@callgate/core'

/** JSON that is already text; stands in an answer as it is, so that no number in it is ever rounded. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What a command may answer: JSON values, exact numbers, texts of JSON; absent members are left out. */
export type Answer = string | number | boolean | null | bigint | WireNumber | JsonText | readonly Answer[] | AnswerObject

/** An object in an answer. */
export type AnswerObject = { readonly [key: string]: Answer | undefined }

// They stand in strings only; a terminal would obey them.
const CONTROLS = /[\u007f-\u009f]/g

/** One line of JSON; integers of any size and numbers from the wire keep every digit, control characters are escaped. */
export function jsonText(answer: Answer): string {
  return write(answer).replace(CONTROLS, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)
}

function write(answer: Answer): string {
  if (answer instanceof JsonText || answer instanceof WireNumber) return answer.text
  if (typeof answer === 'bigint') return answer.toString()
  if (typeof answer !== 'object' || answer === null) return JSON.stringify(answer)
  if (isList(answer)) return `[${answer.map(write).join(',')}]`
  const members = Object.entries(answer).flatMap(([key, value]) =>
    value === undefined ? [] : [`${JSON.stringify(key)}:${write(value)}`],
  )
  return `{${members.join(',')}}`
}

function isList(answer: readonly Answer[] | AnswerObject): answer is readonly Answer[] {
  return Array.isArray(answer)
}
