"""Enters 41 parties and their sales through Tryton's own client library: 33 sales are confirmed,
one of them of a party without an e-mail address; 8 stay quotations.

    seed.py DATABASE_URI CONFIGURATION
"""
import datetime
import sys
from decimal import Decimal

from proteus import Model, config

PARTIES = 41
LAST_DAY = datetime.date.today() - datetime.timedelta(days=1)


def make_company():
    Currency = Model.get('currency.currency')
    Party = Model.get('party.party')
    Company = Model.get('company.company')
    User = Model.get('res.user')
    currency = Currency(name='Euro', symbol='€', code='EUR', numeric_code='978',
                        rounding=Decimal('0.01'), digits=2)
    rate = currency.rates.new()
    rate.date = datetime.date(2020, 1, 1)
    rate.rate = Decimal('1')
    currency.save()
    shop = Party(name='Lamp Shop')
    shop.save()
    company = Company(party=shop, currency=currency)
    company.save()
    user, = User.find([('login', '=', 'admin')])
    user.companies.append(Company(company.id))
    user.company = company
    user.save()
    session = config.get_config()
    session._context = User.get_preferences(True, session.context)


def make_party(number):
    party = Model.get('party.party')(name=f'Person {number} Öztürk')
    if number < PARTIES:
        party.contact_mechanisms.new(type='email', value=f'person{number}@example.test')
    address = party.addresses[0] if party.addresses else party.addresses.new()
    address.street = 'Main Street 1'
    party.save()
    return party


def make_sale(number, party):
    sale = Model.get('sale.sale')()
    sale.party = party
    # By hand: invoices and shipments are not set up here.
    sale.invoice_method = 'manual'
    sale.shipment_method = 'manual'
    sale.sale_date = LAST_DAY - datetime.timedelta(days=number % 15)
    line = sale.lines.new()
    line.description = f'Lamp {number}'
    line.quantity = 1
    line.unit_price = Decimal('10.50') * number
    sale.save()
    sale.click('quote')
    if number % 5:
        sale.click('confirm')


config.set_trytond(sys.argv[1], user='admin', config_file=sys.argv[2])
make_company()
for i in range(1, PARTIES + 1):
    make_sale(i, make_party(i))
