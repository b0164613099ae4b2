/** Words that other programs use for commands, mapped to Overdue's commands. */

type Pairs = readonly (readonly [meant: string, typed: string])[]

/** Full command names, and the words that other programs use for them. */
const COMMANDS: Pairs = [
  ['status', 'overview summary st now night problems'],
  ['log', 'logs tail events history journal pings'],
  ['search', 'find grep'],
  ['ping', 'signal beat heartbeat'],
  ['run', 'exec watch wrap'],
  ['serve', 'start server up daemon runserver'],
  ['health', 'healthcheck health-check healthz alive'],
  ['check-config', 'config configtest settings env'],
  ['instances', 'nodes cluster'],
  ['migrate', 'initdb syncdb'],
  ['backup', 'dump'],
  ['schedule', 'cron'],
  ['import crontab', 'crontab'],
  ['import kubernetes', 'k8s'],
  ['doctor', 'diagnose lint advice'],
  ['account create', 'createsuperuser adduser useradd'],
  ['account reset', 'passwd password'],
  ['account link', 'login'],
  ['incident take', 'ack acknowledge'],
  ['silence create', 'mute snooze quiet'],
  ['silence end', 'unmute unsilence unsnooze'],
  ['version', 'ver about'],
  ['help', 'man usage commands ?'],
]

/** First words of commands, and the words that other programs use for them. */
const NOUNS: Pairs = [
  ['check', 'monitor monitors job jobs'],
  ['channel', 'integration integrations notifier notifiers receiver receivers'],
  ['incident', 'outage outages'],
  ['delivery', 'alert alerts notification notifications'],
  ['account', 'user users'],
  ['key', 'token tokens apikey apikeys api-key api-keys'],
  ['project member', 'member members team'],
]

/**
 * Last words of commands, and the words that other programs use for them. If a word maps to several verbs, each group of commands has only
 * one of these verbs.
 */
const VERBS: Pairs = [
  ['list', 'list ls ps all'],
  ['show', 'show get info describe inspect view cat details'],
  ['create', 'create add new make'],
  ['add', 'create add new make'],
  ['delete', 'delete del rm remove destroy drop'],
  ['remove', 'delete del rm remove destroy drop'],
  ['revoke', 'delete del rm remove destroy drop'],
  ['set', 'set edit update modify change rename'],
  ['pause', 'pause stop disable hold'],
  ['suspend', 'suspend pause stop disable'],
  ['resume', 'resume unpause enable continue start'],
  ['unsuspend', 'unsuspend resume enable'],
  ['end', 'end delete del rm remove cancel expire'],
  ['take', 'take ack acknowledge claim'],
  ['release', 'release unack unacknowledge'],
]

/** All alternative words, for tests. */
export const OTHER_WORDS = { COMMANDS, NOUNS, VERBS }

function meantBy(pairs: Pairs, typed: string): readonly string[] {
  return pairs.flatMap(([meant, words]) => (words.split(' ').includes(typed) ? [meant] : []))
}

/** Returns the probable command, such as `check list` for `ls` and `account create` for `add user`. @param known words of all commands */
export function inOtherWords(known: ReadonlySet<string>, typed: readonly string[]): string | null {
  const words = typed.map((word) => word.toLowerCase())
  const [first = '', second = '', third = ''] = words
  const candidates = [
    ...joined(known, `${first} ${second}`, third),
    ...joined(known, first, second),
    ...joined(known, second, first),
    ...meantBy(COMMANDS, first),
    ...joined(known, 'check', first),
    ...meantBy(NOUNS, first).map((noun) => `${noun} list`),
  ]
  return candidates.find((candidate) => known.has(candidate)) ?? null
}

/** Returns the known commands that combine the noun and the verb. */
function joined(known: ReadonlySet<string>, noun: string, verb: string): readonly string[] {
  const singular = noun.replace(/s$/, '')
  const isGroup = (name: string) => [...known].some((command) => command.startsWith(`${name} `))
  const nouns = [...[noun, singular].filter(isGroup), ...meantBy(NOUNS, noun)]
  return nouns.flatMap((name) => meantBy(VERBS, verb).map((meant) => `${name} ${meant}`))
}
