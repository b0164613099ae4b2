/** Parsed YAML or JSON of unknown shape: only what is asked for is looked at, so neither depth nor cycles matter. */
export type Tree = unknown

/** Undefined where there is none. Names that objects inherit are none. */
export function at(tree: Tree, ...names: readonly string[]): Tree {
  let found = tree
  for (const name of names) {
    if (typeof found !== 'object' || found === null || Array.isArray(found) || !Object.hasOwn(found, name))
      return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}

/** Null if it is no text, or an empty one. */
export function textAt(tree: Tree, ...names: readonly string[]): string | null {
  const found = at(tree, ...names)
  return typeof found === 'string' && found !== '' ? found : null
}

/** Empty if it is no list. */
export function listAt(tree: Tree, ...names: readonly string[]): readonly Tree[] {
  const found = at(tree, ...names)
  return Array.isArray(found) ? found : []
}

/** One of the documents that an import reads, and where it stands: `jobs.yaml line 12`. */
export interface PlacedTree {
  readonly place: string
  readonly tree: Tree
}
