/** Implements `overdue check set`. */
import type { SettingsEdit } from '../../domain/bulk/edit.ts'
import { selectChannels } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import { isTag, splitTags } from '../../domain/check/tags.ts'
import { count, periodInWords } from '../../domain/duration.ts'
import { MOVE_LIMIT } from '../../domain/schedule/move-schedule.ts'
import { type TriedCheck, trySettings } from '../../services/bulk/settings.ts'
import { listChannels } from '../../services/channels/channels.ts'
import { changeChecks } from '../../services/checks/bulk.ts'
import type { Context, ExitStatus, Values } from '../command.ts'
import { optionError } from '../usage.ts'
import { openChecks } from './find-check.ts'
import { noteLines, untoldNotes } from './notes.ts'
import { SET_OPTIONS } from './options.ts'
import { refuseProblems, specOf } from './spec.ts'
import { represent, timingWords } from './words.ts'

/** Changes checks, or with `--dry-run` shows how they would be changed. */
export async function set(context: Context): Promise<ExitStatus> {
  const { values, print, note } = context
  const { channels: list, ...edit } = readEdit(values)
  const { deps, actor, found } = await openChecks(context)
  const channels = await listChannels(deps, actor)
  const settings: SettingsEdit =
    list === undefined ? edit : { ...edit, channelIds: selectChannels(list, channels, actor.project.name) }
  const tried = await trySettings(deps, actor, found, settings)
  const isDry = values['dry-run'] === true
  const ids = found.map(({ check }) => check.publicId)
  const outcome = isDry ? null : await changeChecks(deps, actor, ids, { kind: 'set', settings })
  const changing = tried.filter(({ isChanged }) => isChanged)
  const would = isDry ? 'would change' : 'changed'
  const channelNames = new Map(channels.map(({ id, name, kind }) => [id, name || `${kind} ${id}`]))
  const notes = [
    ...tried.flatMap(({ before, after }) => after.kept.map((words) => `${titleOf(before.check)}: ${words}`)),
    ...(list === undefined
      ? []
      : await untoldNotes(
          deps,
          actor,
          tried.map(({ after }) => after),
        )),
  ]
  print(
    tried.map((one) => ({
      ...represent(one.after, deps),
      changed: one.isChanged,
      ...(one.alerts === null ? {} : { alerts_30_days: one.alerts }),
      ...(one.after.kept.length === 0 ? {} : { kept: one.after.kept }),
    })),
    [
      `${would} ${changing.length} of ${count(tried.length, 'check')}`,
      { rows: [HEADS, ...tried.map((one) => cellsOf(one, channelNames))] },
      ...noteLines(notes),
    ],
  )
  const left = outcome?.left ?? 0
  if (left > 0) note(`an error stopped the change: ${count(left, 'check')} left unchanged`)
  return left > 0 || tried.some(({ after }) => after.kept.length > 0) ? 1 : 0
}

interface TypedEdit extends Omit<SettingsEdit, 'channelIds'> {
  /** channels, in the same format as for `overdue check create` */
  readonly channels?: string | undefined
}

/** @throws Refusal `option-invalid`, which lists all problems */
function readEdit(values: Values): TypedEdit {
  if (Object.keys(SET_OPTIONS).every((name) => name === 'dry-run' || values[name] === undefined))
    throw optionError('nothing to change', 'see `overdue check set --help`')
  const { spec, problems } = specOf(values)
  const { timeout, schedule, tz, grace, channels } = spec
  const given = { timeout, schedule, tz, grace, channels }
  const edit: TypedEdit = {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as TypedEdit),
    ...(values.methods === undefined ? {} : { methods: values.methods === 'any' ? '' : 'POST' }),
    ...(values['move-by'] === undefined ? {} : { moveBy: Number(values['move-by']) }),
    ...(values['add-tags'] === undefined ? {} : { addTags: splitTags(String(values['add-tags'])) }),
    ...(values['remove-tags'] === undefined ? {} : { removeTags: splitTags(String(values['remove-tags'])) }),
  }
  refuseProblems('the change is not valid', 'check set', [...problems, ...problemsOf(edit, values)])
  return edit
}

function problemsOf({ moveBy, addTags = [], removeTags = [] }: TypedEdit, values: Values): readonly string[] {
  const isMove = moveBy === undefined || (Number.isInteger(moveBy) && moveBy !== 0 && Math.abs(moveBy) <= MOVE_LIMIT)
  const others = ['timeout', 'schedule'].filter((name) => values[name] !== undefined)
  return [
    ...(isMove
      ? []
      : [`--move-by "${values['move-by']}": use minutes from 1 to ${MOVE_LIMIT}, or -1 to -${MOVE_LIMIT}`]),
    ...(moveBy === undefined ? [] : others.map((name) => `--move-by and --${name}: use only one`)),
    ...(['any', 'POST', undefined].includes(values.methods as string) ? [] : ['--methods: use any or POST']),
    ...[...addTags, ...removeTags].filter((tag) => !isTag(tag)).map(() => 'a tag has at most 500 characters'),
  ]
}

const HEADS = ['CHECK', 'SCHEDULE', 'GRACE', 'ALERTS IN 30 DAYS', 'ALSO']

function cellsOf({ before, after, alerts }: TriedCheck, channelNames: ReadonlyMap<string, string>): string[] {
  const [was, is] = [before.check, after.check]
  const names = (ids: readonly string[]) => ids.map((id) => channelNames.get(id) ?? id).join(', ') || 'none'
  const also = [
    changed('methods', was.methods || 'any', is.methods || 'any'),
    changed('channels', names(before.channelIds), names(after.channelIds)),
    changed('tags', was.tags || 'none', is.tags || 'none'),
  ]
  return [
    titleOf(was),
    arrow(timingWords(was), timingWords(is)),
    arrow(periodInWords(was.graceSeconds), periodInWords(is.graceSeconds)),
    alerts === null ? '-' : arrow(String(alerts.present), String(alerts.tried)),
    also.flatMap((words) => words ?? []).join('; ') || '-',
  ]
}

function arrow(before: string, after: string): string {
  return before === after ? before : `${before} → ${after}`
}

function changed(what: string, before: string, after: string): string | null {
  return before === after ? null : `${what} ${before} → ${after}`
}

function titleOf({ name, slug, id }: Check): string {
  return name || slug || id
}
