/** `?from=100`: the number of entries before those that a page of a list shows. */

/** Reads the number. Invalid addresses must not cause an error. */
export function readOffset(parameters: URLSearchParams): number {
  const from = parameters.get('from') ?? ''
  return /^\d{1,6}$/.test(from) ? Number(from) : 0
}
