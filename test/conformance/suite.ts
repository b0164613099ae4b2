/** A test for each recorded case, against a shared real server. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Described, described, documentPath } from '../support/described.ts'
import { type Program, type Served, serve } from '../support/served.ts'
import { type Case, titleOf } from './case.ts'
import { NOT_YET } from './not-yet.ts'
import { provision } from './provision.ts'
import { type Inspect, runCase, wipe } from './replay.ts'
import type { Variables } from './template.ts'

const START_WITHIN_MS = 60_000

/**
 * @param timeoutMs for each case
 * @param program returns the program when the suite begins; by default the source
 */
export function conformanceSuite(
  title: string,
  cases: readonly Case[],
  timeoutMs: number,
  program?: () => Program,
): void {
  describe(title, () => {
    let served: Served | undefined
    let variables: Variables = {}
    const documents: Described[] = []

    beforeAll(async () => {
      served = await serve({}, program?.())
      variables = await provision(served)
      for (const version of [1, 2, 3] as const) {
        documents.push(described(await (await fetch(`${served.baseUrl}${documentPath(version)}`)).text()))
      }
    }, START_WITHIN_MS)

    afterAll(async () => {
      await served?.stop()
    }, START_WITHIN_MS)

    /** Also checks each answer against the OpenAPI document of the server. */
    const inspect: Inspect = ({ method, target }, { status, headers, body }) => {
      const path = target.replace(/^https?:\/\/[^/]*/, '')
      const document = documents[Number(/^\/api\/v([12])\//.exec(path)?.[1] ?? 3) - 1]
      return document?.problems({ method, target: path, status, headers, body: body.toString('utf8') }) ?? []
    }

    const replay = async (item: Case): Promise<string[]> => {
      if (served === undefined) throw new Error('the server did not start')
      const before = served.logs().length
      await wipe(served.baseUrl, variables)
      const differences = await runCase(served.baseUrl, item, variables, inspect)
      const said = served.logs().slice(before)
      return differences.length > 0 && said !== '' ? [...differences, `the server said: ${said}`] : differences
    }

    for (const item of cases) {
      const reason = NOT_YET[titleOf(item)]
      if (reason === undefined) {
        test(titleOf(item), async () => expect(await replay(item)).toEqual([]), timeoutMs)
      } else {
        // These run too: a case that passes must be removed from the list, or nobody would notice when it breaks again.
        test(
          `${titleOf(item)} (not yet: ${reason})`,
          async () => {
            const passes = (await replay(item)).length === 0
            expect(passes ? `${titleOf(item)} passes now: take it off NOT_YET` : 'not yet').toBe('not yet')
          },
          timeoutMs,
        )
      }
    }
  })
}
