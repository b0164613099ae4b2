/** Runs an option's action. Most options are links; some submit a form, and one copies text to the clipboard. */

/**
 * Submits a form to the link's target.
 * @param field a form field as `name=value`, or ''
 */
function send(link: HTMLAnchorElement, field: string): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = link.href
  const [name = '', value = ''] = field.split('=')
  if (name) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}

/** Copies the server's response. Some browsers only allow copying if it is started from the click handler. */
async function copy(address: string): Promise<void> {
  const text = fetch(address).then((answer) => (answer.ok ? answer.blob() : Promise.reject(new Error('refused'))))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
}

/**
 * @param say shows a message to the reader
 * @returns false if the browser should follow the link
 */
export function act(link: HTMLAnchorElement, say: (words: string) => void): boolean {
  const { sends, copies } = link.dataset
  if (sends !== undefined) {
    send(link, sends)
    return true
  }
  // Without HTTPS, the clipboard is not available. The link leads to the check's page, which shows the text.
  if (copies === undefined || !navigator.clipboard) return false
  copy(copies).then(
    () => say('Copied'),
    () => location.assign(link.href),
  )
  return true
}
