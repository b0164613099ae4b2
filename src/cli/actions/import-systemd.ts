/** `overdue import systemd` */
import { basename, resolve } from 'node:path'
import { type DropIn, planTimers, writeDropIns } from '../../domain/import/systemd.ts'
import { splitCat, type UnitFile, unitName } from '../../domain/import/systemd-units.ts'
import type { Context, ExitStatus } from '../command.ts'
import { type NamedFile, readAllNamed } from '../read-files.ts'
import { optionError } from '../usage.ts'
import { type Artefact, propose, unreadNotes } from './proposals.ts'

const CAT = "use what `systemctl cat '*.timer' '*.service'` prints, the unit files, or their folder"

export async function importSystemd(context: Context): Promise<ExitStatus> {
  const { positionals, input, zone } = context
  const { files, unread } = await readAllNamed(positionals, input, isUnitFile)
  const units = files.flatMap(unitFiles)
  const texts = units.map(({ text }) => text)
  return propose(context, texts, zone(), (options) => {
    const plan = planTimers(units, options)
    return {
      ...plan,
      unread: unreadNotes(unread),
      write: (urlOf) => artefactOf(writeDropIns(plan, urlOf)),
    }
  })
}

/** The folders of what a unit wants have links to units, not units. */
function isUnitFile(path: string, below: string): boolean {
  return unitName(path) !== null && !/\.(?:wants|requires|upholds)\//.test(below)
}

function artefactOf(files: readonly DropIn[]): Artefact {
  return { json: { files }, text: files.map(({ path, text }) => `# ${path}\n${text}`).join('\n') }
}

function unitFiles({ path, bytes }: NamedFile): readonly UnitFile[] {
  const text = bytes.toString()
  if (/^\s*[[{]\s*[{"]/.test(text)) throw optionError('a list of timers has no schedules', CAT)
  if (path !== '-' && unitName(path) !== null) return [{ path: resolve(path), text }]
  const files = splitCat(text)
  if (files.length === 0) throw optionError(`${path === '-' ? 'standard input' : basename(path)} has no units`, CAT)
  return files
}
