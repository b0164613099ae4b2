/** Reads components of paths that a shell does not expand. */

const PLAIN = /^[\w.@+~:/-]*\w[\w.@+~:/-]*$/
const NAME_LIMIT = 80

/**
 * Returns the last component of a path; null if a shell must expand it (except a folder at the beginning, as in `$HOME/bin/x`),
 * or if it is not a plain name.
 */
export function lastComponent(path: string): string | null {
  const plain = path.replace(/^\$(?:\w+|\{\w+\})(?=\/)/, '').replace(/\/+$/, '')
  const name = plain.slice(plain.lastIndexOf('/') + 1)
  return PLAIN.test(plain) && name.length <= NAME_LIMIT ? name : null
}
