/** Parsed YAML or JSON of unknown shape. Only requested members are read, so neither depth nor cycles matter. */
export type Tree = unknown

/** Returns a member, or undefined if it does not exist. Inherited properties do not count. */
export function at(tree: Tree, ...names: readonly string[]): Tree {
  let found = tree
  for (const name of names) {
    if (typeof found !== 'object' || found === null || Array.isArray(found) || !Object.hasOwn(found, name))
      return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}

/** Returns a non-empty text, or null for anything else. */
export function textAt(tree: Tree, ...names: readonly string[]): string | null {
  const found = at(tree, ...names)
  return typeof found === 'string' && found !== '' ? found : null
}

/** Returns a list. Returns an empty list for anything else. */
export function listAt(tree: Tree, ...names: readonly string[]): readonly Tree[] {
  const found = at(tree, ...names)
  return Array.isArray(found) ? found : []
}

/** A document that an import reads, and its position, such as `jobs.yaml line 12`. */
export interface PlacedTree {
  readonly place: string
  readonly tree: Tree
}
