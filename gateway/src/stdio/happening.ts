/** Something that happens once: `promise` resolves then; `happen` after that changes nothing. */
export type Happening = { readonly promise: Promise<void>; happen(): void }

/** Makes something that has not happened yet. */
export function createHappening(): Happening {
  let happen: () => void = () => undefined
  const promise = new Promise<void>((resolve) => {
    happen = resolve
  })
  return { promise, happen: () => happen() }
}
