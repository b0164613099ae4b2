/** Tests that the doctor finds the problems of jobs. */
import { expect, test } from 'bun:test'
import { findingsOf } from '../../../test/support/jobs/judged.ts'
import type { IllKind } from '../../../test/support/jobs/kind.ts'
import { HISTORIES, LATER_LOOKS, leastFound, SEED } from './amounts.ts'

export function testFound(kinds: readonly IllKind[]): void {
  test.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
    const findings = findingsOf(kind, SEED, HISTORIES, LATER_LOOKS)
    if (kind.found === 0) expect(findings).toEqual(new Map([['silent', HISTORIES]]))
    else if ((findings.get('found') ?? 0) < leastFound(kind.found ?? 1)) {
      expect(findings).toEqual(new Map([['found', HISTORIES]]))
    }
  })
}
