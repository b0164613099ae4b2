/** `github`: the whole request for an issue, hostile names and bodies, and conclusions on answers. */
import { describe, expect, test } from 'bun:test'
import { firstProblem, type Problem } from '../../src/domain/schema.ts'
import { github } from '../../src/transports/github.ts'
import { aFlip, aPing, at, bytes } from '../support/builders.ts'
import { HOSTILE_BODY, HOSTILE_ISSUE_TEXT, HOSTILE_LINE, issueText } from './parsed.ts'
import { downAlert, hostileAlert, judgements, senderOf, USUAL_JUDGEMENTS, wanted } from './support.ts'

const SETTINGS = { token: 'github_pat_1', repo: 'alice/home-lab', labels: ['bug', 'on call'] }

const sent = senderOf(github, SETTINGS)

const withBody = (body: string) => downAlert({ lastPing: aPing({ receivedAt: at('09:00'), body: bytes(body) }) })

describe('the issue', () => {
  test('of a check that went down', async () => {
    expect(await sent()).toEqual({
      method: 'POST',
      url: 'https://api.github.com/repos/alice/home-lab/issues',
      headers: {
        accept: 'application/vnd.github+json',
        authorization: 'Bearer github_pat_1',
        'content-type': 'application/json',
      },
      body: {
        title: 'Nightly backup is DOWN',
        body: `${issueText()}\n\n**Last Ping Body:**\n\n\`\`\`\n42 files\n\`\`\``,
        labels: ['bug', 'on call'],
      },
    })
  })

  test('of a failure without a body ends with the facts, and labels are optional', async () => {
    const alert = downAlert({ flip: aFlip({ reason: 'fail' }), lastPing: null })
    expect((await sent(alert, { ...SETTINGS, labels: [] })).body).toEqual({
      title: 'Nightly backup is DOWN',
      body: issueText({ sentence: 'Failed.', lastPing: 'Never' }),
      labels: [],
    })
  })

  test('has no markup and no mention from a name', async () => {
    expect((await sent(hostileAlert())).body).toEqual({
      title: `${HOSTILE_LINE} is DOWN`,
      body: [HOSTILE_ISSUE_TEXT, '', '**Last Ping Body:**', '', '```', HOSTILE_BODY, '```'].join('\n'),
      labels: ['bug', 'on call'],
    })
  })

  test.each([
    ['in it', 'a\n```\n@everyone'],
    ['as all of it', '```'],
    ['that a control character hides', '``\u0000`'],
  ])('leaves out a body with triple backticks %s', async (_, body) => {
    expect((await sent(withBody(body))).body.body).toEndWith('- **Last Ping:** Success, 3 hours ago')
  })
})

test('no issue is made when a check recovers', () => {
  expect(wanted(github, SETTINGS)).toEqual(['down'])
})

test.each(['a/b', 'alice/home-lab', 'a/.github', 'A_1/x.y-z'])('the repository may be %s', (repo) => {
  expect(firstProblem(github.settings, { ...SETTINGS, repo })).toBeNull()
})

test.each(['', 'alice', 'alice/', '/x', 'a/b/c', '../x', 'a/..', './x', 'a/.', 'a/b?x', 'a/b#x', 'a b/c', 'a/b\n'])(
  'the repository may not be %j',
  (repo) => {
    expect(firstProblem(github.settings, { ...SETTINGS, repo })).toEqual({ path: '/repo', violation: 'mismatch' })
  },
)

test.each<[string, object, Problem]>([
  ['no token', { token: undefined }, { path: '/token', violation: 'missing' }],
  ['an empty token', { token: '' }, { path: '/token', violation: 'mismatch' }],
  ['a token that starts a header', { token: 'a\r\nX-Evil: 1' }, { path: '/token', violation: 'mismatch' }],
  ['labels as a text', { labels: 'bug' }, { path: '/labels', violation: 'not an array' }],
  ['an empty label', { labels: ['bug', ''] }, { path: '/labels/1', violation: 'mismatch' }],
  ['no labels', { labels: undefined }, { path: '/labels', violation: 'missing' }],
])('settings with %s are rejected', (_, given, problem) => {
  expect(firstProblem(github.settings, { ...SETTINGS, ...given })).toEqual(problem)
})

test('an answer is judged by its status; a repository without issues disables the channel', () => {
  expect(judgements(github)).toEqual({ ...USUAL_JUDGEMENTS, 410: 'disable: Received status code 410' })
})
