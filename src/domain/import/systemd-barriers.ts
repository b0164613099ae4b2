/**
 * Tells of a service of systemd whether commands that are added to it can ping. They run with its settings
 * (systemd.exec(5), systemd.resource-control(5)), so what keeps the job from the network keeps them from the server.
 */
import { readSpanOfSystemd } from './systemd-span.ts'
import type { Unit } from './systemd-units.ts'

/** True if the setting of the service stands in the way of `sh` and `curl`. */
type Barrier = (service: Unit, key: string) => boolean

const isSet: Barrier = (service, key) => service.get(key).length > 0
const isOn: Barrier = (service, key) => service.isOn(key)

/** How long the pings of the start and the end may take while the server accepts and is silent, in seconds. */
const LONGEST_START = 10
const LONGEST_END = 30

/** What a barrier does, with its settings. The first that is found is told. */
const BARRIERS: readonly (readonly [effect: string, settings: Readonly<Record<string, Barrier>>])[] = [
  [
    'may keep its commands from the server',
    {
      PrivateNetwork: isOn,
      NetworkNamespacePath: isSet,
      IPAddressDeny: deniesAddresses,
      IPEgressFilterPath: isSet,
      IPIngressFilterPath: isSet,
      RestrictAddressFamilies: (service, key) => !mergedList(service.get(key)).allows('AF_INET'),
      RestrictNetworkInterfaces: isSet,
      SystemCallFilter: deniesSystemCalls,
    },
  ],
  [
    'may keep its commands from curl',
    {
      RootDirectory: hidesPrograms,
      RootImage: hidesPrograms,
      TemporaryFileSystem: coversNeeded,
      InaccessiblePaths: coversNeeded,
      InaccessibleDirectories: coversNeeded,
      NoExecPaths: forbidsPrograms,
      Environment: (service, key) => lacksPrograms(/(?:^|[\s"'])PATH=([^\s"']*)/.exec(service.get(key).join(' '))?.[1]),
      ExecSearchPath: (service, key) => lacksPrograms(service.get(key).join(':') || undefined),
      AppArmorProfile: isSet,
      SELinuxContext: isSet,
      SmackProcessLabel: isSet,
      TasksMax: (service, key) => Number(service.last(key)) < FEWEST_TASKS,
    },
  ],
  [
    'is shorter than a ping may take',
    { TimeoutStartSec: isWithin(LONGEST_START), TimeoutStopSec: isWithin(LONGEST_END) },
  ],
  ['opens its file anew for each command', { StandardOutput: isReopened, StandardError: isReopened }],
]

/** Why commands that are added to the service cannot ping, or could do harm: a sentence. Null: they can. */
export function barrierOf(service: Unit): string | null {
  for (const [effect, settings] of BARRIERS) {
    const found = Object.entries(settings).find(([name, stands]) => stands(service, `Service.${name}`))
    if (found !== undefined) return `Its ${found[0]}= ${effect}.`
  }
  return null
}

const wordsOf = (values: readonly string[]) =>
  values.flatMap((value) => value.split(/\s+/)).filter((word) => word !== '')

/** Addresses that are no servers: of networks without routers, and of the metadata of a cloud. */
const NO_SERVERS = /^(?:multicast|link-local|169\.254\.[\d./]+|fe80:\S*|224\.0\.0\.0\/4|ff00::\/8)$/

/** What is allowed comes before what is denied. Which address the server has is not known. */
function deniesAddresses(service: Unit, key: string): boolean {
  const allowed = wordsOf(service.get('Service.IPAddressAllow'))
  if (allowed.includes('any') || (allowed.includes('0.0.0.0/0') && allowed.includes('::/0'))) return false
  return wordsOf(service.get(key)).some((word) => !NO_SERVERS.test(word))
}

interface MergedList {
  /** true: what it does not name is allowed */
  readonly isDenyList: boolean
  readonly named: ReadonlySet<string>
  /** what a part of the other kind took away */
  readonly removed: ReadonlySet<string>
  allows(word: string): boolean
}

/** The first part says whether the list allows, or with `~` denies; parts of the other kind take words away from it. */
function mergedList(values: readonly string[]): MergedList {
  const isDenyList = values[0]?.startsWith('~') ?? true
  const named = new Set<string>()
  const removed = new Set<string>()
  for (const value of values) {
    const [to, from] = value.startsWith('~') === isDenyList ? [named, removed] : [removed, named]
    for (const part of wordsOf([value.replace(/^~/, '')])) {
      const word = part.replace(/:.*$/, '')
      to.add(word)
      from.delete(word)
    }
  }
  return { isDenyList, named, removed, allows: (word) => named.has(word) !== isDenyList }
}

/** Without these, neither a shell nor curl can run; groups are those of `systemd-analyze syscall-filter`. */
const NEEDED_CALLS = [
  ...'@known @system-service @default @basic-io @file-system @io-event @ipc @network-io @process @signal'.split(' '),
  ...'socket connect sendto sendmsg sendmmsg recvfrom recvmsg getsockopt setsockopt getsockname getpeername'.split(' '),
  ...'socketpair poll ppoll pipe pipe2 clone clone3 fork vfork execve wait4 open openat read write close'.split(' '),
]

/** A list that allows is enough only with the group that has all of them. */
function deniesSystemCalls(service: Unit, key: string): boolean {
  const list = mergedList(service.get(key))
  if (list.isDenyList) return NEEDED_CALLS.some((call) => list.named.has(call))
  const hasAll = list.named.has('@system-service') || list.named.has('@known')
  return !hasAll || NEEDED_CALLS.some((call) => list.removed.has(call))
}

/** Images and other roots need not have a shell and curl. */
function hidesPrograms(service: Unit, key: string): boolean {
  const root = service.last(key)
  return root !== undefined && root !== '/' && !service.isOn('Service.RootDirectoryStartOnly')
}

const PROGRAMS = ['/usr/bin/sh', '/usr/bin/curl', '/usr/lib']
/** What `sh` and `curl` open besides. */
const NEEDED = [...PROGRAMS, '/dev/null', '/etc/resolv.conf', '/etc/ssl', '/run/systemd/resolve']

/** Without signs before it and options after it. `/bin` and `/lib` are mostly links to folders of the same name in `/usr`. */
function pathsOf(service: Unit, key: string): readonly string[] {
  return wordsOf(service.get(key)).map((word) => {
    const path = word.replace(/^["']?[-+]*|["']$/g, '').replace(/:.*$/, '')
    return path.replace(/\/+$/, '').replace(/^\/(?=(?:s?bin|lib\w*)(?:\/|$))/, '/usr/')
  })
}

/** @param folder the empty text is `/` */
const covers = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`)

function coversNeeded(service: Unit, key: string): boolean {
  const hidden = pathsOf(service, key)
  return NEEDED.some((path) => hidden.some((folder) => covers(folder, path)))
}

/** The path nearest to a program decides. */
function forbidsPrograms(service: Unit, key: string): boolean {
  const forbidden = pathsOf(service, key)
  const allowed = pathsOf(service, 'Service.ExecPaths')
  const nearest = (folders: readonly string[], path: string) =>
    Math.max(-1, ...folders.filter((folder) => covers(folder, path)).map(({ length }) => length))
  return PROGRAMS.some((path) => nearest(forbidden, path) > nearest(allowed, path))
}

/** @param path folders with colons between them; undefined: those that systemd gives */
function lacksPrograms(path: string | undefined): boolean {
  return path !== undefined && !path.split(':').some((folder) => /^\/(?:usr\/)?bin\/?$/.test(folder))
}

/** A shell, curl and its threads. */
const FEWEST_TASKS = 10
/**
 * The limit holds for each of the added commands: when it is over, the service fails. `RuntimeMaxSec=` does not count them.
 * @param longest how long the command may take, in seconds
 */
function isWithin(longest: number): Barrier {
  return (service, key) => {
    const seconds = readSpanOfSystemd(service.last(key) ?? '')
    return seconds !== null && seconds > 0 && seconds <= longest
  }
}

/** Each command of a service opens such a file anew, and writes from its beginning on. */
function isReopened(service: Unit, key: string): boolean {
  return /^(?:truncate|file):/.test(service.last(key) ?? '')
}
