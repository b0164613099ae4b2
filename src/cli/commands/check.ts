/** `overdue check …` */

import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { listChannels } from '../../services/channels.ts'
import { deleteCheck, listChecks, pauseCheck, resumeCheck, updateCheck, upsertCheck } from '../../services/checks.ts'
import { type Command, openProject, PROJECT } from '../command.ts'
import { type Cell, shortIds } from '../screen.ts'
import { optionError } from '../usage.ts'
import { readChannels, readSpec, SPEC_OPTIONS } from './check-spec.ts'
import { checkWords, LIST_HEADS, listCells, represent } from './check-words.ts'
import { CHECK_HELP, openCheck } from './find-check.ts'

const NAMED = { takes: ['CHECK'], usage: '--project NAME_OR_ID', options: PROJECT } as const

export const checkCommands: readonly Command[] = [
  {
    words: 'check list',
    usage: '--project NAME_OR_ID',
    summary: "list a project's checks with their current status",
    details:
      'NEXT PING is when the next ping is due; then the grace time begins. --json prints the checks as the API does.',
    example: 'overdue check list --project Default',
    options: PROJECT,
    async run({ openDeps, values, print }) {
      const { deps, actor } = await openProject({ openDeps, values })
      const json: unknown[] = []
      const rows: Cell[][] = []
      const ids: string[] = []
      for await (const page of listChecks(deps, actor, {})) {
        for (const found of page) {
          if (values.json) json.push(represent(found, deps))
          else rows.push(listCells(found.check, deps))
          ids.push(found.check.id)
        }
      }
      const short = shortIds(ids)
      const table = { rows: [[...LIST_HEADS, 'ID'], ...rows.map((row, index) => [...row, short[index] ?? ''])] }
      print(json, [table])
      return 0
    },
  },
  {
    words: 'check show',
    ...NAMED,
    summary: 'show one check: status, schedule, ping URL, channels',
    details: CHECK_HELP,
    example: 'overdue check show backup --project Default',
    async run(context) {
      const { deps, actor, found } = await openCheck(context)
      context.print(represent(found, deps), checkWords(found, deps, await listChannels(deps, actor)))
      return 0
    },
  },
  {
    words: 'check create',
    usage:
      '--project NAME_OR_ID --name NAME [--slug SLUG] [--tags TAGS] [--desc TEXT] [--timeout SPAN | --schedule EXPRESSION [--tz ZONE]] [--grace SPAN] [--channels LIST]',
    summary: 'create a check and print its ping URL',
    details: [
      'SPAN is in seconds, or like 5m, 1h, 1d. A check goes down if no ping arrives within --timeout (default 1d) plus --grace',
      '(default 1h). EXPRESSION is cron or OnCalendar; `overdue schedule` explains it. TAGS are separated by spaces.',
      'LIST is * for all channels, or names or ids separated by commas; without it, the check alerts nobody.',
    ].join('\n'),
    example:
      "overdue check create --project Default --name Backup --slug backup --timeout 1d --grace 1h --channels '*'",
    options: { ...PROJECT, ...SPEC_OPTIONS },
    async run({ openDeps, values, print }) {
      const spec = readSpec(values)
      if (!spec.name) throw optionError('--name is empty', 'see `overdue check create --help`')
      const { deps, actor } = await openProject({ openDeps, values })
      const created = await upsertCheck(deps, actor, spec, false)
      print(represent(created, deps), checkWords(created, deps, await listChannels(deps, actor)))
      return 0
    },
  },
  action('pause', 'paused', 'pause a check: it cannot go down until it gets a ping or is resumed', pauseCheck),
  action('resume', 'resumed', 'resume a paused check: it waits for a ping', resumeCheck),
  {
    words: 'check delete',
    ...NAMED,
    usage: `${NAMED.usage} [--yes]`,
    options: { ...PROJECT, yes: { type: 'boolean', default: false } },
    summary: 'delete a check and its log',
    details: `${CHECK_HELP}\nOn a terminal, it asks first unless --yes is given.`,
    example: 'overdue check delete backup --project Default --yes',
    async run(context) {
      const { deps, actor, found } = await openCheck(context)
      const title = titleOf(found)
      if (!context.values.yes && !context.confirm(`Delete the check ${title} and its log?`)) return 1
      const deleted = await deleteCheck(deps, actor, found.check)
      context.print(represent(deleted, deps), `deleted ${title}`)
      return 0
    },
  },
  {
    words: 'check assign',
    ...NAMED,
    usage: `${NAMED.usage} --channels LIST`,
    options: { ...PROJECT, channels: { type: 'string', required: true } },
    summary: 'set the channels that get the alerts of a check',
    details: `${CHECK_HELP}\nLIST replaces all its channels: * for all, '' for none, or names or ids separated by commas.`,
    example: "overdue check assign backup --project Default --channels '*'",
    async run(context) {
      const channels = readChannels(String(context.values.channels))
      const { deps, actor, found } = await openCheck(context)
      const changed = await updateCheck(deps, actor, found.check, { channels }, false)
      context.print(represent(changed, deps), checkWords(changed, deps, await listChannels(deps, actor)))
      return 0
    },
  },
]

function action(word: 'pause' | 'resume', done: string, summary: string, change: typeof pauseCheck): Command {
  return {
    words: `check ${word}`,
    ...NAMED,
    summary,
    details: CHECK_HELP,
    example: `overdue check ${word} backup --project Default`,
    async run(context) {
      const { deps, actor, found } = await openCheck(context)
      const changed = await change(deps, actor, found.check)
      context.print(represent(changed, deps), `${done} ${titleOf(changed)}`)
      return 0
    },
  }
}

function titleOf({ check: { name, id } }: CheckWithChannels): string {
  return name === '' ? id : `"${name}" (${id})`
}
