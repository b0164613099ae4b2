/** `overdue import systemd` */
import { basename, resolve } from 'node:path'
import { type DropIn, planTimers, writeDropIns } from '../../domain/import/systemd.ts'
import { splitCat, type UnitFile, unitName } from '../../domain/import/systemd-units.ts'
import type { Command } from '../command.ts'
import { type NamedFile, readAllNamed } from '../read-files.ts'
import { optionError } from '../usage.ts'
import {
  type Artefact,
  machineZone,
  PROPOSAL_DETAILS,
  PROPOSAL_OPTIONS,
  PROPOSAL_USAGE,
  propose,
  unreadNotes,
} from './proposals.ts'

const CAT = "use what `systemctl cat '*.timer' '*.service'` prints, the unit files, or their folder"

export const importSystemdCommands: readonly Command[] = [
  {
    words: 'import systemd',
    takes: ['FILE...'],
    usage: PROPOSAL_USAGE,
    summary: 'propose checks for timers of systemd, and print the drop-ins with which their services ping',
    details: [
      "FILE is a unit file, a drop-in, a folder of them, or what `systemctl cat '*.timer' '*.service'` prints; - is standard input.",
      'Services are only read to see which of them ping already. ZONE, that of schedules that name none, is an IANA name (default:',
      'that of this machine). The drop-ins need curl; put them into the files that are named above them, then run',
      '`systemctl daemon-reload`.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf '# /etc/systemd/system/backup.timer\\n[Timer]\\nOnCalendar=daily\\n' | overdue import systemd -",
    options: PROPOSAL_OPTIONS,
    async run(context) {
      const { positionals } = context
      const { files, unread } = await readAllNamed(positionals, isUnitFile)
      const units = files.flatMap(unitFiles)
      const texts = units.map(({ text }) => text)
      await propose(context, texts, machineZone(), (options) => {
        const plan = planTimers(units, options)
        return {
          ...plan,
          notes: [...unreadNotes(unread), ...plan.notes],
          write: (urlOf) => artefactOf(writeDropIns(plan, urlOf)),
        }
      })
      return 0
    },
  },
]

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
