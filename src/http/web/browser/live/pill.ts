/** A message above a list that is out of date, with a button to update the list. It floats, so that nothing moves. */

const pill = document.createElement('p')
pill.className = 'pill'
pill.id = 'pill'
pill.setAttribute('role', 'status')
const words = document.createElement('span')
const button = document.createElement('button')
button.type = 'button'
button.className = 'btn small'
pill.append(words, button)

export function showPill(text: string, action: string, act: () => void): void {
  words.textContent = text
  button.textContent = action
  button.onclick = act
  if (!pill.isConnected) document.getElementById('main')?.prepend(pill)
}

export function hidePill(): void {
  pill.remove()
}
