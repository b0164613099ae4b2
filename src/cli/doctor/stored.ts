/** Examines stored checks for `overdue doctor`, and prints advice on them. */
import type { Advice } from '../../domain/advice/advice.ts'
import { representFix } from '../../domain/advice/represent.ts'
import { adviceText } from '../../domain/advice/sentence.ts'
import { spokenAdvice } from '../../domain/advice/stored-advice.ts'
import type { Check } from '../../domain/check/check.ts'
import { type Instant, isoSeconds } from '../../lib/time.ts'
import { putOffAdvice } from '../../services/advice/answers.ts'
import { listChecks } from '../../services/checks/checks.ts'
import type { Deps } from '../../services/common/deps.ts'
import { lookNow } from '../../services/looks/looks.ts'
import { openCheck } from '../check/find-check.ts'
import type { Context, ExitStatus } from '../command.ts'
import { openProject } from '../project/open-project.ts'
import type { Cell } from '../terminal/screen.ts'
import { optionError } from '../usage.ts'

const FOUND = 1
const NOTHING = 'No advice: the settings fit the logs.'

interface Advised {
  readonly check: Check
  readonly advice: readonly Advice[]
}

/** Prints all advice on one check, or the first piece of advice on each check of a project. */
export async function diagnoseStored(context: Context): Promise<ExitStatus> {
  if (context.values['not-now']) return notNow(context)
  const { argument, print } = context
  const { deps, advised } = argument === '' ? await ofProject(context) : await ofCheck(context)
  const now = deps.now()
  const all = advised.flatMap(({ check, advice }) => advice.map((one) => ({ check, advice: one })))
  const json = all.map(({ check, advice }) => represent(check, advice, now))
  const rows = all.map(({ check, advice }): Cell[] => [
    { name: check.name || check.slug || check.id },
    adviceText(advice, check, now),
  ])
  print(json, rows.length === 0 ? NOTHING : [{ rows: [['NAME', 'ADVICE'], ...rows] }])
  return all.length > 0 ? FOUND : undefined
}

async function ofCheck(context: Context): Promise<{ deps: Deps; advised: readonly Advised[] }> {
  const { deps, found } = await openCheck(context)
  return { deps, advised: [await look(deps, found.check)] }
}

async function ofProject({ openDeps, values }: Context): Promise<{ deps: Deps; advised: readonly Advised[] }> {
  const { deps, actor } = await openProject({ openDeps, values })
  const advised: Advised[] = []
  for await (const page of listChecks(deps, actor, {})) {
    for (const { check } of page) {
      const { advice } = await look(deps, check)
      advised.push({ check, advice: advice.slice(0, 1) })
    }
  }
  return { deps, advised }
}

async function look(deps: Deps, check: Check): Promise<Advised> {
  const stored = await lookNow(deps, check.id)
  return { check, advice: stored === null ? [] : spokenAdvice(stored, deps.now().epochMilliseconds) }
}

/** Hides the first piece of advice on a check. */
async function notNow(context: Context): Promise<undefined> {
  if (context.argument === '') throw optionError('--not-now needs a CHECK', 'see `overdue doctor --help`')
  const { deps, actor, found } = await openCheck(context)
  const { check, advice } = await look(deps, found.check)
  const [first] = advice
  if (first) {
    const named = { kind: first.kind, variant: first.variant, fix: JSON.stringify(first.fix) }
    const { until } = await putOffAdvice(deps, actor, [check.publicId], named)
    const now = deps.now()
    const json = { ...represent(check, first, now), put_off_until: isoSeconds(until) }
    context.print(json, [adviceText(first, check, now), `The advice is hidden until ${isoSeconds(until)}.`])
  } else context.print(null, NOTHING)
}

function represent(check: Check, advice: Advice, now: Instant) {
  const { kind, variant, fix } = advice
  const sentence = adviceText(advice, check, now)
  return { name: check.name, uuid: check.id, advice: kind, variant, fix: representFix(fix), sentence }
}
