/** Implements `overdue search`. */
import { OPERATOR } from '../../domain/actor.ts'
import { PING_WORDS } from '../../domain/log/line-words.ts'
import { nothingFound, progressSentences } from '../../domain/search/answer-words.ts'
import { parseSearch, QUERY_LIMITS } from '../../domain/search/query.ts'
import { sentenceText } from '../../domain/words/sentence-text.ts'
import { isoSeconds } from '../../lib/time.ts'
import {
  type FoundChannel,
  type FoundCheck,
  type FoundPing,
  type SearchAnswer,
  search as searchAll,
} from '../../services/search/search.ts'
import { stateCell } from '../check/words.ts'
import type { Context } from '../command.ts'
import type { Cell, Table } from '../terminal/screen.ts'
import { optionError } from '../usage.ts'

/** Runs `overdue search`. */
export async function search({ openDeps, positionals, zone, print }: Context): Promise<undefined> {
  const query = parseSearch(positionals.map(asTyped).join(' '))
  if (query.terms.length === 0) throw optionError('no word to search for', 'use letters or digits')
  const deps = await openDeps()
  const answer = await searchAll(deps, OPERATOR, query)
  const inZone = { now: deps.now(), tz: zone() }
  const limits = `→ Only the first ${QUERY_LIMITS.words} words and ${QUERY_LIMITS.characters} characters are searched.`
  print(represent(answer), [
    ...partsOf(answer, inZone.tz),
    ...(query.isCut ? [limits] : []),
    ...progressSentences(answer).map((said) => `→ ${sentenceText(said, inZone)}`),
  ])
}

/** Restores the quotes around an argument of several words, which the shell has removed. The argument is then searched for as a phrase. */
function asTyped(argument: string): string {
  return /\s/.test(argument.trim()) && !argument.includes('"') ? `"${argument}"` : argument
}

function partsOf(
  { checks, pings, channels, hasMore, searched }: SearchAnswer,
  tz: string,
): readonly (string | Table)[] {
  if (checks.length + pings.length + channels.length === 0) return [nothingFound(searched)]
  const parts = [
    group(
      'Checks',
      [{ rows: checks.map(checkCells) }],
      checks.length,
      hasMore.checks && 'More checks match. Add a word.',
    ),
    group(
      'Pings',
      pings.flatMap((found) => [{ rows: [pingCells(found, tz)] }, `  ${excerptText(found)}`]),
      pings.length,
      hasMore.pings && `The newest ${pings.length} are shown.`,
    ),
    group(
      'Channels',
      [{ rows: channels.map(channelCells) }],
      channels.length,
      hasMore.channels && 'More channels match. Add a word.',
    ),
  ]
  const shown = parts.filter((part) => part.length > 0)
  return shown.flatMap((part, index) => (index === 0 ? part : ['', ...part]))
}

/** @param more text to print below the lines if there are more results; false if there are none */
function group(
  title: string,
  lines: readonly (string | Table)[],
  count: number,
  more: string | false,
): readonly (string | Table)[] {
  return count === 0 ? [] : [title, ...lines, ...(more === false ? [] : [more])]
}

function checkCells({ actor, check, state }: FoundCheck): Cell[] {
  return [stateCell(state), { name: check.name || check.id }, { name: actor.project.name }]
}

function pingCells({ actor, check, n, receivedAt, kind }: FoundPing, tz: string): Cell[] {
  return [
    { clock: receivedAt, tz },
    { name: check.name || check.id },
    { id: `${PING_WORDS[kind]} #${n}` },
    { name: actor.project.name },
  ]
}

function channelCells({ actor, channel }: FoundChannel): Cell[] {
  return [{ name: channel.name || channel.id }, channel.kind, { name: actor.project.name }]
}

function excerptText({ excerpt }: FoundPing): string {
  return excerpt.map(({ text }) => text).join('')
}

function represent({ checks, pings, channels, hasMore }: SearchAnswer) {
  const projectOf = ({ project: { id, name } }: FoundCheck['actor']) => ({ id, name })
  return {
    checks: checks.map(({ actor, check, state }) => {
      return { uuid: check.id, name: check.name, state, project: projectOf(actor) }
    }),
    pings: pings.map((found) => {
      const { actor, check, n, kind, receivedAt } = found
      const about = { check: { uuid: check.id, name: check.name }, project: projectOf(actor) }
      return { ...about, n, kind, at: isoSeconds(receivedAt), excerpt: excerptText(found) }
    }),
    channels: channels.map(({ actor, channel: { id, name, kind } }) => ({ id, name, kind, project: projectOf(actor) })),
    has_more: hasMore,
  }
}
