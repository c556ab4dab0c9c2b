/** What the pages of the sign-in do in the browser: a password can be looked at, and a passkey is asked. Everything else works without. */
export const scriptPath = '/sign-in/script.js';

export const browserScript = `for (const field of document.querySelectorAll('input[type=password]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet-button';
  const look = (isShown) => {
    field.type = isShown ? 'text' : 'password';
    button.textContent = isShown ? 'Hide it' : 'Show it';
    button.setAttribute('aria-label', button.textContent + ': ' + field.labels[0].textContent);
  };
  look(false);
  button.addEventListener('click', () => look(field.type === 'password'));
  field.form.addEventListener('submit', () => look(false));
  field.after(button);
}

const form = document.querySelector('form[data-passkey]');
const tell = (text) => {
  const place = document.querySelector('#problem');
  place.hidden = false;
  place.querySelector('p').textContent = text;
};

const answerOf = ({ passkey, options }) => {
  const asked = JSON.parse(options);
  return passkey === 'new'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) });
};

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON)
    return tell('This browser cannot use passkeys here: it is too old, or the address begins with http:// and is not localhost.');
  try {
    form.elements.answer.value = JSON.stringify(await answerOf(form.dataset));
    form.submit();
  } catch (error) {
    tell(error.name === 'InvalidStateError' ? 'This passkey is there already.' : 'No passkey has answered. Try again.');
  }
});
`;
