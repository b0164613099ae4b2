/** The parameter `?from=100` of long lists: how many entries a page skips. */

/** Parses the number. Invalid values count as 0, because a wrong address must not cause an error. */
export function readOffset(parameters: URLSearchParams): number {
  const from = parameters.get('from') ?? ''
  return /^\d{1,6}$/.test(from) ? Number(from) : 0
}
