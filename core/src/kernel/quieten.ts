/** Lets a promise that nobody awaits reject later without ending the process; anything else is left alone. */
export function quieten(value: unknown): void {
  if (value instanceof Promise) void Promise.prototype.then.call(value, undefined, () => undefined)
}
