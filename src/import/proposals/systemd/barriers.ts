/**
 * Tells of a service of systemd whether commands that are added to it can ping. They run with its settings and in its slice
 * (systemd.exec(5), systemd.resource-control(5)), so what keeps the job from the network keeps them from the server.
 */
import { GROUP_LIMITS, isWithin, PROCESS_LIMITS } from './limits.ts'
import { PROGRAM_BARRIERS } from './programs.ts'
import { type Barrier, isOn, isSet, mergedList, type Settings, settingsOf, wordsOf } from './settings.ts'
import type { Unit } from './units.ts'

/** How long the pings of the start and the end may take while the server accepts and is silent, in seconds. */
const LONGEST_START = 10
const LONGEST_END = 30

/** What barriers do, with the settings that they are. The first that is found is told. */
type Barriers = readonly (readonly [effect: string, settings: Readonly<Record<string, Barrier>>])[]

const UNREACHED = 'may keep its commands from reaching the server'
const TOO_SMALL = 'may be too low for curl'

/** Of slices, too. */
const IN_GROUPS: Barriers = [
  [
    UNREACHED,
    {
      IPAddressDeny: deniesAddresses,
      IPEgressFilterPath: isSet,
      IPIngressFilterPath: isSet,
      BPFProgram: isSet,
      RestrictNetworkInterfaces: isSet,
    },
  ],
  [TOO_SMALL, GROUP_LIMITS],
]

const IN_SERVICES: Barriers = [
  ...IN_GROUPS,
  [
    UNREACHED,
    {
      PrivateNetwork: isOn,
      NetworkNamespacePath: isSet,
      RestrictAddressFamilies: (settings, name) => !mergedList(settings(name)).allows('AF_INET'),
      SystemCallFilter: deniesSystemCalls,
    },
  ],
  ['may keep its commands from running curl', PROGRAM_BARRIERS],
  [TOO_SMALL, PROCESS_LIMITS],
  [
    'is shorter than a ping may take',
    { TimeoutStartSec: isWithin(LONGEST_START), TimeoutStopSec: isWithin(LONGEST_END) },
  ],
  [
    'makes each of its commands write from the beginning of the file',
    { StandardOutput: isReopened, StandardError: isReopened },
  ],
]

/**
 * Why commands that are added to the service cannot ping, or could do harm: a sentence. Null: they can.
 * @param slices that it is in
 * @param isOfUser true: its manager is that of a user, who is not root
 */
export function barrierOf(service: Unit, slices: readonly Unit[], isOfUser: boolean): string | null {
  const own = settingsOf(service, 'Service')
  const groups = slices.map((slice) => ({ name: slice.name, settings: settingsOf(slice, 'Slice') }))
  // What a slice allows is allowed in its services, and the other way round.
  const known: Readonly<Record<string, readonly string[]>> = {
    IPAddressAllow: [own, ...groups.map(({ settings }) => settings)].flatMap((settings) => settings('IPAddressAllow')),
    ...(isOfUser ? { User: ['user'] } : {}),
  }
  const withKnown =
    (settings: Settings): Settings =>
    (name) =>
      known[name] ?? settings(name)
  const ofService = firstOf(IN_SERVICES, withKnown(own))
  if (ofService !== null) return `Its ${ofService.name}= ${ofService.effect}.`
  for (const { name, settings } of groups) {
    const ofSlice = firstOf(IN_GROUPS, withKnown(settings))
    if (ofSlice !== null) return `The ${ofSlice.name}= of its slice ${name} ${ofSlice.effect}.`
  }
  return null
}

function firstOf(barriers: Barriers, settings: Settings) {
  for (const [effect, ofEffect] of barriers) {
    const found = Object.entries(ofEffect).find(([name, stands]) => stands(settings, name))
    if (found !== undefined) return { name: found[0], effect }
  }
  return null
}

/** Addresses that are no servers: of networks without routers, and of the metadata of a cloud. */
const NO_SERVERS = /^(?:multicast|link-local|169\.254\.[\d./]+|fe80:\S*|224\.0\.0\.0\/4|ff00::\/8)$/

/** What is allowed comes before what is denied. Which address the server has is not known. */
function deniesAddresses(settings: Settings, name: string): boolean {
  const allowed = wordsOf(settings('IPAddressAllow'))
  if (allowed.includes('any') || (allowed.includes('0.0.0.0/0') && allowed.includes('::/0'))) return false
  return wordsOf(settings(name)).some((word) => !NO_SERVERS.test(word))
}

/** Without these, neither a shell nor curl can run; groups are those of `systemd-analyze syscall-filter`. */
const NEEDED_CALLS = [
  ...'@known @system-service @default @basic-io @file-system @io-event @ipc @network-io @process @signal'.split(' '),
  ...'socket connect sendto sendmsg sendmmsg recvfrom recvmsg getsockopt setsockopt getsockname getpeername'.split(' '),
  ...'socketpair poll ppoll pipe pipe2 clone clone3 fork vfork execve wait4 open openat read write close'.split(' '),
]

/** A list that allows is enough only with the group that has all of them. */
function deniesSystemCalls(settings: Settings, name: string): boolean {
  const list = mergedList(settings(name))
  if (list.isDenyList) return NEEDED_CALLS.some((call) => list.named.has(call))
  const hasAll = list.named.has('@system-service') || list.named.has('@known')
  return !hasAll || NEEDED_CALLS.some((call) => list.removed.has(call))
}

/** Each command of a service opens such a file anew, and writes from its beginning on. */
function isReopened(settings: Settings, name: string): boolean {
  return /^(?:truncate|file):/.test(settings(name).at(-1) ?? '')
}
