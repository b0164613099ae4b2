/** Extracts the last component of paths that a shell does not expand. */

const PLAIN = /^[\w.@+~:/-]*\w[\w.@+~:/-]*$/
const NAME_LIMIT = 80

/**
 * Returns the last component of a path. Returns null if it is not a plain name, or if a shell must expand it. A variable for the first
 * directory is allowed, as in `$HOME/bin/x`.
 */
export function lastComponent(path: string): string | null {
  const plain = path.replace(/^\$(?:\w+|\{\w+\})(?=\/)/, '').replace(/\/+$/, '')
  const name = plain.slice(plain.lastIndexOf('/') + 1)
  return PLAIN.test(plain) && name.length <= NAME_LIMIT ? name : null
}
