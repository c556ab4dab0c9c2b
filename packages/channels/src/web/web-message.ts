/** A push of the interface as browsers get it: JSON by the names of the Notifications API. */
import { present } from '@roster/contract';

type WebContent = Readonly<Record<string, unknown>>;

interface Button {
  text: string;
  action?: string;
  uri?: string;
}

const actionOf = ({ text, action, uri }: Button, place: number) =>
  present({ action: `button-${place + 1}`, title: text, does: action ?? 'OPEN_APP', url: uri });

/** The service worker of the page shows it: see docs/messaging.md. */
export const payloadOf = ({ id, content }: { id: string; content: WebContent }): string => {
  const { alert, title, extra, custom_uri, image_url, large_image_url, require_interaction, buttons } =
    content;
  return JSON.stringify(
    present({
      id,
      title,
      body: alert,
      icon: image_url,
      image: large_image_url,
      url: custom_uri,
      requireInteraction: require_interaction,
      actions: (buttons as Button[] | undefined)?.map(actionOf),
      data: extra,
    }),
  );
};
