/** Computes the 32-bit FNV-1a hash of a string's UTF-16 code units: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
