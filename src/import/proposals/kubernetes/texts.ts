/** Collects the texts in which a Kubernetes CronJob may mention the check that it pings. */
import { namesCheck } from '../check-variables.ts'
import { at, listAt, type Tree, textAt } from '../tree.ts'
import { type ClusterObject, containersOf, inSameNamespace, POD } from './objects.ts'

/** ConfigMaps and Secrets by kind and name, such as `Secret backup`. */
export type MapsByTitle = ReadonlyMap<string, readonly ClusterObject[]>

/**
 * Returns the texts passed to the pods. They are the words of commands, and complete commands with the image's program; the values of
 * environment variables, with and without their names; and the values of the ConfigMaps and Secrets in use. Comments in scripts are
 * removed.
 */
export function textsOf(cronJob: ClusterObject, maps: MapsByTitle): readonly string[] {
  const containers = containersOf(cronJob.tree)
  return [
    ...containers.flatMap(commandTexts),
    ...containers.flatMap((container) => listAt(container, 'env').flatMap(variableTexts)),
    ...mapsOf(cronJob, containers, maps).map(withoutComments),
  ]
}

/** Removes comments from a script. */
function withoutComments(text: string): string {
  const lines = text.split('\n').filter((line) => !/^\s*#/.test(line))
  return lines.join('\n')
}

function commandTexts(container: Tree): readonly string[] {
  const visible = new Set(
    listAt(container, 'env').flatMap((one) => (at(one, 'value') == null ? [] : (textAt(one, 'name') ?? []))),
  )
  const words = ['command', 'args']
    .flatMap((name) => listAt(container, name))
    .flatMap((word) => (typeof word === 'string' ? withoutNames(withoutComments(word), visible) : []))
  return [...words, [programOf(textAt(container, 'image') ?? ''), ...words].join(' ')]
}

/**
 * Replaces variables whose names suggest a check with `$URL`. The values of these variables are separate texts, and show more reliably than
 * the names whether a check is pinged.
 */
function withoutNames(text: string, visible: ReadonlySet<string>): string {
  return text.replace(/\$(?:\((\w+)\)|\{(\w+)\}|(\w+))/g, (whole, ofPod?: string, braced?: string, bare?: string) => {
    const name = ofPod ?? braced ?? bare ?? ''
    return visible.has(name) && namesCheck(name) ? '$URL' : whole
  })
}

/** Returns the program after which an image is named, such as `runitor` for `docker.io/runitor/runitor:v1.4`. */
export const programOf = (image: string) => image.slice(image.lastIndexOf('/') + 1).replace(/[:@].*$/s, '')

function variableTexts(variable: Tree): readonly string[] {
  const value = textAt(variable, 'value')
  return value === null ? [] : [value, `${textAt(variable, 'name') ?? ''}=${value}`]
}

function mapsOf(cronJob: ClusterObject, containers: readonly Tree[], maps: MapsByTitle): readonly string[] {
  return [...usedMaps(cronJob.tree, containers)].flatMap(([title, keys]) =>
    (maps.get(title) ?? []).filter((map) => inSameNamespace(map, cronJob)).flatMap((map) => valuesOf(map, keys)),
  )
}

/** Returns the keys in use, by kind and name of the object; null if all keys are used. */
function usedMaps(cronJob: Tree, containers: readonly Tree[]): ReadonlyMap<string, ReadonlySet<string> | null> {
  const used = new Map<string, Set<string> | null>()
  const use = (kind: string, name: string | null, key: string | null) => {
    const title = `${kind} ${name}`
    const keys = used.get(title)
    if (key === null || keys === null) used.set(title, null)
    else used.set(title, (keys ?? new Set()).add(key))
  }
  for (const variable of containers.flatMap((container) => listAt(container, 'env'))) {
    for (const [kind, member] of [
      ['ConfigMap', 'configMapKeyRef'],
      ['Secret', 'secretKeyRef'],
    ] as const) {
      const reference = at(variable, 'valueFrom', member)
      if (reference !== undefined) use(kind, textAt(reference, 'name'), textAt(reference, 'key'))
    }
  }
  for (const source of containers.flatMap((container) => listAt(container, 'envFrom'))) {
    use('ConfigMap', textAt(source, 'configMapRef', 'name'), null)
    use('Secret', textAt(source, 'secretRef', 'name'), null)
  }
  const volumes = listAt(cronJob, ...POD, 'volumes')
  for (const volume of [...volumes, ...volumes.flatMap((volume) => listAt(volume, 'projected', 'sources'))]) {
    use('ConfigMap', textAt(volume, 'configMap', 'name'), null)
    use('Secret', textAt(volume, 'secret', 'secretName') ?? textAt(volume, 'secret', 'name'), null)
  }
  return used
}

function valuesOf({ tree }: ClusterObject, keys: ReadonlySet<string> | null): readonly string[] {
  return ['data', 'stringData', 'binaryData'].flatMap((member) =>
    Object.entries(Object(at(tree, member) ?? {})).flatMap(([key, value]) => {
      if (typeof value !== 'string' || (keys !== null && !keys.has(key))) return []
      const plain = isBase64(tree, member) ? Buffer.from(value, 'base64').toString('latin1') : value
      return [plain, `${key}=${plain}`]
    }),
  )
}

function isBase64(tree: Tree, member: string): boolean {
  return member === 'binaryData' || (member === 'data' && at(tree, 'kind') === 'Secret')
}

/** Returns the names of variables that may identify a check, but whose values are in objects that the input may not contain. */
export function hiddenVariables(cronJob: ClusterObject): readonly string[] {
  return containersOf(cronJob.tree)
    .flatMap((container) => listAt(container, 'env'))
    .filter((variable) => at(variable, 'valueFrom') != null)
    .flatMap((variable) => textAt(variable, 'name') ?? [])
    .filter((name) => /^\w+$/.test(name) && namesCheck(name))
}
