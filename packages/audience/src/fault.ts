/** An audience that is not taken. The message begins with the place of the mistake, such as `audience.AND[1].custom_attribute.value`. */
export class AudienceFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AudienceFault';
  }
}

export const faultAt = (path: string, what: string): AudienceFault => new AudienceFault(`${path} ${what}`);
