/** Names in paths that a shell takes as they are. */

const PLAIN = /^[\w.@+~:/-]*\w[\w.@+~:/-]*$/
const NAME_LIMIT = 80

/** Null for what a shell still has to expand, but for a folder at the beginning as in `$HOME/bin/x`, and for anything that is not a plain name. */
export function lastComponent(path: string): string | null {
  const plain = path.replace(/^\$(?:\w+|\{\w+\})(?=\/)/, '').replace(/\/+$/, '')
  const name = plain.slice(plain.lastIndexOf('/') + 1)
  return PLAIN.test(plain) && name.length <= NAME_LIMIT ? name : null
}
