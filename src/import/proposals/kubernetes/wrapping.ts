/**
 * Puts the wrapper `overdue-run` before the command of a Kubernetes CronJob. Determines whether the wrapper can run there, and what the
 * patch has to add.
 */

import { wrapperOptions } from '../ping-lines.ts'
import { at, listAt, type Tree, textAt } from '../tree.ts'
import { shownClient, WRAPPER_SHELLS } from './image-programs.ts'
import { hasLessMemoryThan } from './memory.ts'
import { type Operation, POD, POD_PATH, proxiesOf } from './objects.ts'

/** The command that the wrapper runs. */
export interface WrappedCommand {
  readonly program: string
  /** shell that runs the wrapper: the job's own shell if the wrapper is tested with it */
  readonly shell: string
  readonly hasVolumes: boolean
  readonly hasMounts: boolean
}

/** Name of the ConfigMap, its key and the volume. */
const NAME = 'overdue-run'
const FOLDER = '/overdue'

/** Minimum memory limit in mebibytes. The wrapper and its HTTP client need memory in addition to the job. */
const MEMORY_MIN = 64

/**
 * Returns the command of the only container, or a sentence that says why the wrapper cannot run it. @param isAsked true if the user
 * confirmed that the images contain what the wrapper needs; otherwise the manifest must show it
 */
export function wrappedCommand(cronJob: Tree, isAsked: boolean): WrappedCommand | string {
  const pod = at(cronJob, ...POD)
  const [container] = listAt(pod, 'containers')
  const [command, args, volumes, mounts] = [
    listAt(container, 'command'),
    listAt(container, 'args'),
    listAt(pod, 'volumes'),
    listAt(container, 'volumeMounts'),
  ]
  const [program] = command
  if (program === undefined) return 'It names no command, and the command of its image is unknown.'
  const words = [...command, ...args].filter((word) => typeof word === 'string')
  if (typeof program !== 'string' || !/^[^-]/.test(program)) return 'Its command does not begin with a program.'
  const client = shownClient(textAt(container, 'image') ?? '', words)
  if (client === null && !isAsked) return NOT_SHOWN
  if (client !== 'curl' && proxiesOf(container).length > 0)
    return 'Its pods use a proxy, and nothing shows that its image has curl, which understands it.'
  if (hasLessMemoryThan(MEMORY_MIN, container))
    return `Its memory limit is below ${MEMORY_MIN}Mi, which the wrapper would share with the job.`
  if (volumes.some((volume) => at(volume, 'name') === NAME) || mounts.some(isInFolder))
    return `It has a volume ${NAME}, or something at ${FOLDER}, already.`
  return {
    program,
    shell: WRAPPER_SHELLS.test(program) ? program : '/bin/sh',
    hasVolumes: volumes.length > 0,
    hasMounts: mounts.length > 0,
  }
}

export const NOT_SHOWN = 'Nothing shows that its image has a shell, and curl or wget.'

const isInFolder = (mount: Tree) => /^\/overdue(?:\/|$)/.test(textAt(mount, 'mountPath') ?? '')

/** Wraps the command. The operations do not repeat the command's words, because these may contain a password. */
export function wrappingOperations(
  { program, shell, hasVolumes, hasMounts }: WrappedCommand,
  url: string,
): readonly Operation[] {
  const container = `${POD_PATH}/containers/0`
  const words = [shell, `${FOLDER}/${NAME}`, ...wrapperOptions(url)]
  return [
    { op: 'test', path: `${container}/command/0`, value: program },
    ...words.map((value, index) => ({ op: 'add', path: `${container}/command/${index}`, value })),
    ...added(`${container}/volumeMounts`, hasMounts, { name: NAME, mountPath: FOLDER, readOnly: true }),
    ...added(`${POD_PATH}/volumes`, hasVolumes, { name: NAME, configMap: { name: NAME } }),
  ]
}

/** Adds a value to a list, or creates the list. A list that was created in the meantime must not be replaced. */
function added(path: string, isThere: boolean, value: object): readonly Operation[] {
  if (isThere) return [{ op: 'add', path: `${path}/-`, value }]
  return [
    { op: 'test', path, value: null },
    { op: 'add', path, value: [value] },
  ]
}

/** A ConfigMap that contains the script for the pods of a namespace. */
export interface ScriptMap {
  readonly apiVersion: 'v1'
  readonly kind: 'ConfigMap'
  /** metadata of the ConfigMap; if `namespace` is missing, kubectl uses the namespace in its configuration */
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly data: Readonly<Record<string, string>>
}

export function scriptMap(namespace: string | null, script: string): ScriptMap {
  const metadata = { name: NAME, ...(namespace === null ? {} : { namespace }) }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [NAME]: script } }
}

/** Returns true if the pod has no writable directory for temporary files, where the wrapper stores output. */
export function hasNoTemporaryFolder(cronJob: Tree): boolean {
  const [container] = listAt(cronJob, ...POD, 'containers')
  if (at(container, 'securityContext', 'readOnlyRootFilesystem') !== true) return false
  const set = listAt(container, 'env').find((variable) => at(variable, 'name') === 'TMPDIR')
  const folder = `${textAt(set, 'value') ?? '/tmp'}/`
  return !listAt(container, 'volumeMounts').some((mount) =>
    folder.startsWith(`${textAt(mount, 'mountPath')?.replace(/\/+$/, '') ?? ' '}/`),
  )
}
