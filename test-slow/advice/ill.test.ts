/** The doctor finds what is wrong in made-up histories of each kind of job that does not fit its check. */
import { expect, test } from 'bun:test'
import { ILL } from '../../test/support/jobs/ill/all.ts'
import { findingsOf } from '../../test/support/jobs/judged.ts'
import { HISTORIES, LATER_LOOKS, leastFound, SEED } from './support/amounts.ts'

test.each(ILL.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
  const findings = findingsOf(kind, SEED, HISTORIES, LATER_LOOKS)
  if (kind.found === 0) expect(findings).toEqual(new Map([['silent', HISTORIES]]))
  else if ((findings.get('found') ?? 0) < leastFound(kind.found ?? 1))
    expect(findings).toEqual(new Map([['found', HISTORIES]]))
})
