/** `?from=100`: how many entries of a list come before those that its page shows. */

/** An address that somebody sent must not end in an error. */
export function readFrom(parameters: URLSearchParams): number {
  const from = parameters.get('from') ?? ''
  return /^\d{1,6}$/.test(from) ? Number(from) : 0
}
