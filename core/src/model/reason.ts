/** Why a policy said what it said: a stable `code`, a text for people, and the JSON Pointer it is about. */
export type Reason = { readonly code: string; readonly message?: string; readonly pointer?: string }

/** A reason in a decision, with the id of the policy that gave it; the kernel's own carry `kernel`. */
export type DecisionReason = Reason & { readonly policy: string }
