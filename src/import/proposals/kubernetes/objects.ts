/** Reads objects in Kubernetes manifests. */
import { at, listAt, type PlacedTree, type Tree, textAt } from '../tree.ts'

export interface ClusterObject {
  readonly kind: string
  /** null for the namespace in kubectl's configuration */
  readonly namespace: string | null
  readonly name: string
  readonly tree: Tree
}

/** An object, and its place in the manifests. */
export interface Item extends PlacedTree {
  /** null if the object is not in a list */
  readonly kindOfList: string | null
}

/** Returns the items of a list, or the object itself. */
export function itemsOf({ tree, place }: PlacedTree): readonly Item[] {
  const kind = textAt(tree, 'kind') ?? ''
  const items = at(tree, 'items')
  if (!kind.endsWith('List') || !Array.isArray(items)) return [{ tree, place, kindOfList: null }]
  // In lists from the API server, only the list has a kind.
  const kindOfList = kind === 'List' ? null : kind.replace(/List$/, '')
  return items.map((item: Tree, index) => ({ tree: item, place: `${place} item ${index + 1}`, kindOfList }))
}

const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/

export const isName = (text: string | null): text is string => text !== null && NAME.test(text)

/** Reads an object. Returns null if it has no valid name. */
export function readObject({ tree, kindOfList }: Item): ClusterObject | null {
  const kind = textAt(tree, 'kind') ?? kindOfList
  const [name, namespace] = [textAt(tree, 'metadata', 'name'), textAt(tree, 'metadata', 'namespace')]
  if (kind === null || !isName(name) || (namespace !== null && !isName(namespace))) return null
  return { kind, namespace, name, tree }
}

/** Returns the object's kind and name for messages, if both are plain words. */
export function titleOf({ tree, place, kindOfList }: Item): string {
  const words = [textAt(tree, 'kind') ?? kindOfList, textAt(tree, 'metadata', 'name')]
  const known = words.filter((text) => text !== null && /^[\w.-]{1,100}$/.test(text))
  return known.length === 2 ? known.join(' ') : [...known, `of ${place}`].join(' ')
}

/** Returns true unless the objects name different namespaces. An object without a namespace may be in any namespace. */
export function inSameNamespace(one: ClusterObject, other: ClusterObject): boolean {
  return one.namespace === null || other.namespace === null || one.namespace === other.namespace
}

export const POD = ['spec', 'jobTemplate', 'spec', 'template', 'spec'] as const
/** `POD` as a JSON pointer. */
export const POD_PATH = `/${POD.join('/')}`

/** Returns the containers of a CronJob's pods, including init containers. */
export function containersOf(cronJob: Tree): readonly Tree[] {
  return ['initContainers', 'containers'].flatMap((name) => listAt(cronJob, ...POD, name))
}

/** An operation of a JSON patch (RFC 6902). */
export type Operation = Readonly<Record<string, unknown>>

/** Returns the indexes and names of the proxy variables of a container, but not their values, which may contain a password. */
export function proxiesOf(container: Tree): readonly { readonly index: number; readonly name: string }[] {
  return listAt(container, 'env').flatMap((variable, index) => {
    const name = textAt(variable, 'name') ?? ''
    return /^(?:https?|all|no)_proxy$/i.test(name) ? [{ index, name }] : []
  })
}
