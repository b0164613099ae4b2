/** Implements `overdue import systemd`. */
import { basename, resolve } from 'node:path'
import { PINGING_WAYS } from '../../../import/proposals/ping-lines.ts'
import { writeDropIns } from '../../../import/proposals/systemd/drop-ins.ts'
import { planTimers, type TimerPlan } from '../../../import/proposals/systemd/systemd.ts'
import { isUnitPath, splitCat, type UnitFile } from '../../../import/proposals/systemd/units.ts'
import type { Context, ExitStatus } from '../../command.ts'
import { type NamedFile, readAllNamed } from '../../read-files.ts'
import { optionError } from '../../usage.ts'
import { type Artefact, propose, unreadNotes } from './proposals.ts'
import { readWay, wrapperNotes } from './with-option.ts'

const CAT =
  "use the output of `systemctl cat '*.timer' $(systemctl show --property Unit --value '*.timer')`, the unit files, or their folder"

export async function importSystemd(context: Context): Promise<ExitStatus> {
  const { positionals, lists, values, input, zone } = context
  const by = readWay(String(values.with), PINGING_WAYS)
  const { links } = await context.readConfig()
  const instances = readInstances(lists.instance ?? [])
  const linked = new Set<string>()
  const { files, unread } = await readAllNamed(positionals, input, (path, below) => {
    if (LINK.test(path)) linked.add(basename(path))
    return isUnitFile(path, below)
  })
  const { units, wrong } = unitFiles(files)
  const texts = units.map(({ text }) => text)
  return propose(context, texts, zone(), (options) => {
    const plan = planTimers(units, { ...options, by }, { instances, linked })
    const isWrapped = [...plan.services.values()].some(({ pings }) => typeof pings === 'object')
    return {
      ...plan,
      notes: [...plan.notes, ...(isWrapped ? wrapperNotes(by, links.siteRoot) : [])],
      unread: unreadNotes([...unread, ...wrong]),
      write: (urlOf) => artefactOf(writeDropIns(plan, urlOf), reloadsFor(plan)),
    }
  })
}

/** @throws Refusal `option-invalid` */
function readInstances(names: readonly string[]): readonly string[] {
  const wrong = names.find((name) => !INSTANCE.test(name) || NO_INSTANCE.test(name))
  if (wrong === undefined) return names
  throw optionError(
    `--instance "${wrong}" is not valid`,
    'write the part between the @ and the suffix, as `systemd-escape` prints it (shop), or the whole name (dump@shop)',
  )
}

const INSTANCE = /^(?:[\w:.\\-]+@)?[\w:.\\-]+$/
/** Matches the name of a template, or the name of a unit that has no template. */
const NO_INSTANCE = /@\.\w+$|^[^@]*\.(?:timer|service)$/

/** Matches the directory of a unit's dependencies, which contains links to the units that start with that unit. */
const LINK = /\.(?:wants|requires|upholds)\//

/**
 * Returns true for a unit file, and for a link to an instance of a timer template. The link may be the only file whose name contains the
 * name of the instance.
 */
function isUnitFile(path: string, below: string): boolean {
  return isUnitPath(path) && (!LINK.test(below) || /^[^@]+@.+\.timer$/.test(basename(path)))
}

/** Returns the `daemon-reload` commands that make the service managers read the new files. */
function reloadsFor({ services }: TimerPlan): readonly string[] {
  const commands = [...services.values()].map(({ isOfUser }) => `systemctl ${isOfUser ? '--user ' : ''}daemon-reload`)
  return [...new Set(commands)]
}

function artefactOf(files: readonly UnitFile[], reloads: readonly string[]): Artefact {
  const parts = files.map(({ path, text }) => `# ${path}\n${text}`)
  const last = reloads.map((command) => `# Then run: ${command}\n`)
  return { json: { files, reloads }, text: [...parts, ...last].join('\n') }
}

/** @throws Refusal `option-invalid` if all files are wrong */
function unitFiles(files: readonly NamedFile[]) {
  const units: UnitFile[] = []
  const wrong: { path: string; reason: string }[] = []
  for (const file of files) {
    const found = unitsOf(file)
    if (typeof found === 'string') wrong.push({ path: file.path, reason: found })
    else units.push(...found)
  }
  const [first] = wrong
  if (first === undefined || units.length > 0) return { units, wrong }
  throw optionError(`${first.path === '-' ? 'standard input' : first.path}: ${first.reason}`, CAT)
}

/** Returns the units in a file, or a description of the problem with it. */
function unitsOf({ path, bytes }: NamedFile): readonly UnitFile[] | string {
  const text = bytes.toString()
  if (/^\s*[[{]\s*[{"]/.test(text)) return 'a list of timers has no schedules'
  if (path === '-' || !isUnitPath(path)) {
    const files = splitCat(text)
    return files.length === 0 ? 'it has no unit files' : files
  }
  const isUnit = text.trim() === '' || /^\s*(?:[#;]|\[\w)/m.test(text)
  return isUnit ? [{ path: resolve(path), text }] : 'it is not a unit file'
}
