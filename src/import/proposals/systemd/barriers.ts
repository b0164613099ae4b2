/**
 * Determines whether commands that are added to a systemd service can ping. The added commands run with the service's settings and in its
 * slice (systemd.exec(5), systemd.resource-control(5)), so a setting that blocks the job's network access also blocks theirs.
 */
import { GROUP_LIMITS, isWithin, PROCESS_LIMITS } from './limits.ts'
import { PROGRAM_BARRIERS } from './programs.ts'
import { type Barrier, isOn, isSet, mergedList, type Settings, settingsOf, wordsOf } from './settings.ts'
import type { Unit } from './units.ts'

/** Maximum duration in seconds of the pings at the start and at the end, if the server accepts connections but does not respond. */
const LONGEST_START = 10
const LONGEST_END = 30

/** Effects of settings that prevent pings. Only the first effect found is reported. */
type Barriers = readonly (readonly [effect: string, settings: Readonly<Record<string, Barrier>>])[]

const UNREACHED = 'may prevent its commands from reaching the server'
const TOO_SMALL = 'may be too low for curl'

/** Barriers that also exist for slices. */
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
  ['may prevent its commands from running curl', PROGRAM_BARRIERS],
  [TOO_SMALL, PROCESS_LIMITS],
  [
    'is shorter than a ping may take',
    { TimeoutStartSec: isWithin(LONGEST_START), TimeoutStopSec: isWithin(LONGEST_END) },
  ],
  [
    'makes each of its commands overwrite the file from the beginning',
    { StandardOutput: isReopened, StandardError: isReopened },
  ],
]

/**
 * Returns a sentence that says why commands added to the service cannot ping or could do harm. Returns null if they can ping.
 * @param slices slices that contain the service
 * @param isOfUser true if the service manager belongs to a user other than root
 */
export function barrierOf(service: Unit, slices: readonly Unit[], isOfUser: boolean): string | null {
  const own = settingsOf(service, 'Service')
  const groups = slices.map((slice) => ({ name: slice.name, settings: settingsOf(slice, 'Slice') }))
  // Addresses that a slice allows are also allowed in its services, and vice versa.
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

/** Matches addresses that cannot be the server: link-local and multicast networks, and cloud metadata. */
const NO_SERVERS = /^(?:multicast|link-local|169\.254\.[\d./]+|fe80:\S*|224\.0\.0\.0\/4|ff00::\/8)$/

/**
 * Returns true if the server's address may be denied. Allowed addresses take precedence over denied addresses. The server's address itself
 * is not known.
 */
function deniesAddresses(settings: Settings, name: string): boolean {
  const allowed = wordsOf(settings('IPAddressAllow'))
  if (allowed.includes('any') || (allowed.includes('0.0.0.0/0') && allowed.includes('::/0'))) return false
  return wordsOf(settings(name)).some((word) => !NO_SERVERS.test(word))
}

/** System calls without which neither a shell nor curl can run. `systemd-analyze syscall-filter` lists the groups. */
const NEEDED_CALLS = [
  ...'@known @system-service @default @basic-io @file-system @io-event @ipc @network-io @process @signal'.split(' '),
  ...'socket connect sendto sendmsg sendmmsg recvfrom recvmsg getsockopt setsockopt getsockname getpeername'.split(' '),
  ...'socketpair poll ppoll pipe pipe2 clone clone3 fork vfork execve wait4 open openat read write close'.split(' '),
]

/**
 * Returns true if required system calls are denied. An allow list is sufficient only if it includes the group that contains all required
 * calls.
 */
function deniesSystemCalls(settings: Settings, name: string): boolean {
  const list = mergedList(settings(name))
  if (list.isDenyList) return NEEDED_CALLS.some((call) => list.named.has(call))
  const hasAll = list.named.has('@system-service') || list.named.has('@known')
  return !hasAll || NEEDED_CALLS.some((call) => list.removed.has(call))
}

/** Returns true if each command of a service reopens the file and overwrites it from the beginning. */
function isReopened(settings: Settings, name: string): boolean {
  return /^(?:truncate|file):/.test(settings(name).at(-1) ?? '')
}
