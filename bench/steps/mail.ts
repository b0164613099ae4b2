/**
 * Email, from a server without any to a test that has arrived. The mail server is a relay in the same network, without login and
 * encryption. On the commit e656cf3e one signs in to the machine (`ssh HOST`), opens the file with the settings (`sudo nano FILE`), types
 * EMAIL_HOST, EMAIL_PORT and EMAIL_USE_TLS, saves and leaves by two keys, and restarts the server (`sudo systemctl restart overdue`). After
 * the seconds that this takes, one opens the administration by a key, and presses "Send test email". The commands are three pages, three
 * clicks and nine words.
 */
import { openReceiver } from '../../scripts/demo/receiver.ts'
import { signInAdministrator } from '../support/administrator.ts'
import { databaseUrl } from '../support/prepare.ts'
import { startApp, stopServer } from '../support/servers.ts'
import { handsOn } from './hands.ts'
import { reached, type Task } from './task.ts'

export const mail: Task = {
  what: 'set email up and get a test',
  before: { commit: 'e656cf3e', pages: 5, fields: 3, clicks: 7, words: 12 },
  async walk({ bench, browser, run }) {
    const directory = bench.newDirectory()
    const cookie = await signInAdministrator(databaseUrl(directory))
    const app = await startApp(directory)
    const arrived: string[] = []
    const receiver = await openReceiver((line) => arrived.push(line))
    try {
      const url = `http://127.0.0.1:${app.port}`
      const [name = '', value = ''] = cookie.split('=')
      // A separate browser context, because cookies of a host are valid for all of its ports.
      const context = await browser.newContext()
      await context.addCookies([{ name, value, url }])
      const page = await context.newPage()
      await page.goto(url)
      const hands = handsOn(page, run)
      await hands.press('g r')
      await hands.click(page.getByRole('link', { name: 'Mail', exact: true }))
      await hands.type(page.getByLabel('Server', { exact: true }), '127.0.0.1')
      await hands.choose(page.getByLabel('Security'), 'none')
      await hands.type(page.getByLabel('Port'), String(receiver.smtpPort))
      await hands.click(page.getByRole('button', { name: 'Save and send a test' }))
      await page.locator('#test').waitFor()
      reached(arrived.length === 1, `the page says ${await page.locator('#test').textContent()}`)
      return hands.count()
    } finally {
      await receiver.close()
      await stopServer(app)
    }
  },
}
