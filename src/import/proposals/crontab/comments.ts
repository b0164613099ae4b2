/** Reads the meaningful comments of a crontab: warnings of tools that overwrite changes, titles of jobs, and column headings. */

import type { ImportNote } from '../../../domain/import/import-note.ts'
import { noteOf } from '../proposal.ts'
import { decoded } from './characters.ts'

interface Tool {
  readonly name: string
  /** matches the name of the tool in a comment */
  readonly word: RegExp
  /** matches the comment above one of the tool's jobs, and captures the job's title */
  readonly mark?: RegExp
}

const TOOLS: readonly Tool[] = [
  { name: 'Ansible', word: /\bansible\b/i, mark: /^#Ansible: (.+)/ },
  { name: 'Puppet', word: /\bpuppet\b/i, mark: /^# Puppet Name: (.+)/ },
  { name: 'Chef', word: /\bchef\b/i, mark: /^# Chef Name: (.+)/ },
  // By default, this tool uses a job's complete command as its title.
  { name: 'Salt', word: /\bsalt(?:stack)?\b/i, mark: /^#.*\bSALT_CRON_IDENTIFIER:/ },
  { name: 'CFEngine', word: /\bcfengine\b/i },
  { name: 'Whenever', word: /\bwhenever generated\b/i },
  { name: 'Another program', word: /\bauto(?:matically)?[ -]?generated\b/i },
]
const WRITTEN = /generated\b|\b(?:managed|maintained|do not edit)\b/i
const COMMENT_LIMIT = 300
/** Matches a title in which no word looks like an option, a path or a variable. Such words may come from a command line. */
const TITLE = /^[\p{L}\p{N}(][\p{L}\p{M}\p{N}_.,:@+/()'-]*(?: (?:[\p{L}\p{N}(][\p{L}\p{M}\p{N}_.,:@+/()'-]*|[-+&]))*$/u
const TITLE_LIMIT = 100

/**
 * Returns true for the column heading of a system crontab, such as `# m h dom mon dow user command`, and for the Red Hat and BSD variants.
 */
export const headsUsers = (line: string) => /^#[^\n]{0,80}\b(?:user(?:-?name)?|who)[ \t]+command\b/i.test(line)

export class CrontabComments {
  readonly #told = new Set<string>()
  #title: string | null = null

  /** @param line a comment or an empty line @param place such as `line 5` @returns a note about a tool that no earlier line mentions */
  read(line: string, place: string): readonly ImportNote[] {
    const text = decoded(line).slice(0, COMMENT_LIMIT).trim()
    this.#title = null
    const tool = TOOLS.find(({ word, mark }) => mark?.test(text) || (word.test(text) && WRITTEN.test(text)))
    if (tool === undefined) return []
    const title = tool.mark?.exec(text)?.[1]?.trim()
    if (title !== undefined && title.length <= TITLE_LIMIT && TITLE.test(title)) this.#title = title
    if (this.#told.has(tool.name)) return []
    this.#told.add(tool.name)
    return [noteOf('to-do', 'comment in', place, reasonOf(tool), ADVICE)]
  }

  /** Returns the title in the comments above the job. Returns null if there is no title, or if it may contain arguments of the command. */
  titleOf(command: string): string | null {
    const title = this.#title
    this.#title = null
    return title === null || hasArgument(decoded(command), title) ? null : title
  }
}

/** Returns true if a title may contain the command or one of its arguments. */
function hasArgument(command: string, title: string): boolean {
  return title.includes(' ') ? command.includes(title) : command.trim().split(/\s+/).slice(1).includes(title)
}

const reasonOf = ({ name }: Tool) => `${name} writes jobs of this crontab, and overwrites changes in them.`
const ADVICE = 'Change these jobs at their source, such as a manifest or a playbook.'
