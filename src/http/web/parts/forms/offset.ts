/** The query parameter `from` of long lists. `?from=100` skips the first 100 entries. */

/** Parses the number. Invalid values count as 0, because a malformed URL must not cause an error. */
export function readOffset(parameters: URLSearchParams): number {
  const from = parameters.get('from') ?? ''
  return /^\d{1,6}$/.test(from) ? Number(from) : 0
}
