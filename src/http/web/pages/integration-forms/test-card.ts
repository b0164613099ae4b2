/** The card for testing an integration. It shows the message that was sent and the response. */
import type { AnswerWords } from '../../../../domain/carrier/answer-words.ts'
import type { MessageWords } from '../../../../domain/carrier/message-words.ts'
import { durationWords } from '../../../../lib/time-words.ts'
import type { Exchange } from '../../../../services/courier/recorded-carriers.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { stateShape } from '../../parts/words/states.ts'
import { shown, shownLines } from '../../parts/words/text.ts'

export const TEST_STATUSES = ['down', 'up'] as const
type TestStatus = (typeof TEST_STATUSES)[number]

/** The result of a test. */
export interface ShownTest {
  readonly status: TestStatus
  /** one result for each receiver; a group has several receivers */
  readonly results: readonly ShownResult[]
}

export interface ShownResult {
  /** the group member's name; null for the integration itself */
  readonly name: HtmlValue
  /** error message; null if the receiver accepted the message */
  readonly error: HtmlValue
  readonly exchanges: readonly Exchange[]
}

/** @param action path to post the test to, including the SITE_ROOT path prefix @param test result of the test; null if no test was sent */
export function testCard(action: string, test: ShownTest | null): Html {
  const chosen = test?.status ?? 'down'
  const choices = TEST_STATUSES.map(
    (status) =>
      html`<label><input type="radio" name="status" value="${status}"${status === chosen && html` checked`}>${WORDS[status]}</label>`,
  )
  const form = html`<form class="acts" method="post" action="${action}"><div class="seg" role="radiogroup" aria-label="Test event">${choices}</div>${submit({ text: 'Send test', icon: 'send', isSmall: true })}</form>`
  return html`<section class="card tested" id="test"><header><h2>Test</h2>${form}</header>${
    test === null
      ? html`<div class="body"><p class="muted">Sends a sample alert about a check named TEST, with the saved settings.</p></div>`
      : html`<div role="status">${test.results.map(resultHtml)}</div>`
  }</section>`
}

const WORDS: Readonly<Record<TestStatus, string>> = { down: 'Down', up: 'Up' }

function resultHtml({ name, error, exchanges }: ShownResult): Html {
  const last = exchanges.at(-1)
  const took = last && `It took ${durationWords(last.duration / 1_000_000)}.`
  const whose = name !== null && html`${name}: `
  const said =
    error === null
      ? html`<div class="say up">${stateShape('up')}<div class="inc"><p>${whose}The receiver accepted the test. ${took}</p></div></div>`
      : html`<div class="say down">${stateShape('down')}<div class="inc"><p>${whose}${error} ${took}</p></div></div>`
  return html`${said}${exchanges.map(exchangeHtml)}`
}

function exchangeHtml({ sent, answer }: Exchange): Html {
  return html`${part('Request', wordsOf(sent.line, sent))}
${part('Response', answer === null ? html`<b>No response</b>` : wordsOf(answer.status, answer))}`
}

function wordsOf(line: string, { headers, body }: Pick<MessageWords | AnswerWords, 'headers' | 'body'>): Html {
  const lines = headers.map(([name, value]) => html`\n${name}: ${shown(value)}`)
  return html`<b>${shownLines(line)}</b>${lines}${body !== '' && html`\n\n${shownLines(body)}`}`
}

function part(title: string, words: Html): Html {
  return html`<div class="body-h"><h3>${title}</h3></div><pre class="out" tabindex="0" role="group" aria-label="${title}">${words}</pre>`
}
