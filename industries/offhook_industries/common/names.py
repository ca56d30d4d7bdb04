"""Invented people: first and last names of many origins, which are joined at random."""

from __future__ import annotations

from typing import Final

__all__ = ["FIRST_NAMES", "LAST_NAMES", "SOUND_ALIKES", "STREETS"]

_FIRST_NAMES: Final = """
    Aaliyah Abena Adaeze Aditi Ahmed Aiko Alejandra Amara Amelia Anders Andrea Anika Anton Arjun Asha
    Astrid Ayodele Beatriz Benjamin Bogdan Brigid Camila Carlos Caroline Catalin Cedric Chandra Chen
    Chidi Claire Colin Conor Dalia Damian Daniel Darnell Delia Denise Desta Devon Dimitri Dolores
    Dong-hyun Eamon Edith Eduardo Elena Eleni Elif Emeka Emil Esperanza Esther Fatima Felix Fernanda
    Fiona Florence Gabriel Galina Gareth Genevieve Gita Giulia Grace Gustavo Hana Harold Hassan Helga
    Hiroshi Hugo Ibrahim Ines Ingrid Irina Isabel Ivan Jacob Jamila Janet Jasmine Javier Jerome Jia
    Joanna Jorge Joseph Josefina Juliana Kamal Karim Katarzyna Keisha Kenji Khadija Kofi Kwame Lakshmi
    Lars Latoya Laura Leila Leonard Lina Linh Lucia Lukas Mahmoud Maeve Malik Manuel Marcus Margit
    Mariana Mark Marta Mateo Mei Michael Miguel Min-jun Mira Mohammed Monique Nadia Naomi Natasha Neil
    Ngozi Nicolas Nikhil Noelle Nora Odette Olga Oliver Omar Oscar Padma Patrick Paula Pedro Petra
    Philippa Priya Quentin Rachel Rafael Rahul Ramona Rania Raymond Rebecca Rina Robert Rosa Ruth Saanvi
    Samir Sandra Santiago Sara Selam Sergei Shanice Shreya Sigrid Simon Sofia Soren Stefan Stella Sunita
    Susan Tamar Tariq Tatiana Teresa Thandiwe Theo Thomas Tomas Trang Tunde Uma Valentina Vera Victor
    Vikram Walter Wei Wendy William Xavier Ximena Yara Yasmin Yetunde Yolanda Yuki Yusuf Zainab Zara
    Zofia
"""

FIRST_NAMES: Final = tuple(_FIRST_NAMES.split())

_LAST_NAMES: Final = """
    Abbott Abdi Abebe Acheampong Acosta Adeyemi Aguilar Ahmadi Akhtar Albrecht Alvarado Andersson
    Antonelli Aoki Arslan Asante Baptiste Barnes Bautista Becker Begum Bellamy Bergstrom Bhatt Bianchi
    Blackwood Bondarenko Boudreaux Bowman Brandt Brennan Bukowski Cabrera Calderon Callahan Campbell
    Carvalho Castellano Chandler Chang Chaudhry Cho Choi Cohen Connolly Contreras Costa Crawford Cruz
    Dang Darwish Das Delacroix Demir Desai Diallo Dimitrov Dominguez Donovan Dubois Duarte Dvorak
    Edwards Ekwueme Eriksen Escobar Espinoza Farouk Fernandes Ferrari Figueroa Fischer Fitzgerald
    Fleming Fonseca Freeman Fujimoto Gallagher Gebre Georgiou Ghosh Gibson Goldberg Gonzales Greene
    Gruber Gupta Haddad Hansen Harrington Hassan Hayashi Henderson Herrera Hoang Hoffman Horvat Hosseini
    Huang Hughes Ibarra Idowu Inoue Ivanova Jackson Jansen Jaramillo Jensen Johansson Joshi Kaplan
    Kapoor Karlsson Kaur Kelly Khalil Kim Kimura Kovacs Kowalski Kruger Kumar Lachance Larsen Leblanc
    Lee Leung Levin Lindqvist Lopez Lombardi MacDonald Mahoney Maldonado Mancini Marchetti Martins Mbeki
    McAllister McCarthy Medina Mehta Mendoza Mensah Mitchell Mohamud Moreau Morales Moretti Mukherjee
    Murphy Nair Nakamura Navarro Ndiaye Nguyen Nielsen Novak Nwosu O'Brien O'Connell Obi Ochoa Oduya
    Okafor Okonkwo Olsen Ortega Osei Otieno Owusu Pacheco Padilla Papadakis Park Patel Pavlov Pereira
    Petrov Pham Phillips Pires Popescu Pruitt Quinn Quiroga Rahman Ramirez Reddy Reyes Richter Rinaldi
    Robinson Rojas Romero Rossi Roy Ruiz Saito Salazar Sanchez Santos Sato Schneider Schultz Serrano
    Shah Sharma Silva Singh Sokolov Soto Stewart Suarez Sullivan Svensson Takeda Tanaka Taylor Tesfaye
    Thapa Thompson Tran Traore Turner Ueda Valdez Vargas Vasquez Vega Villanueva Vo Vogel Walker Wang
    Washington Weaver Weber Whitfield Wojcik Wong Woods Wright Yamamoto Yang Yildiz Young Zamora Zhang
    Zhou Zielinski
"""

LAST_NAMES: Final = tuple(_LAST_NAMES.split())

# Last names that are told apart by a letter or by none.
SOUND_ALIKES: Final = (
    ("Cortez", "Cortes"),
    ("Petersen", "Peterson"),
    ("Meyer", "Meier"),
    ("Clark", "Clarke"),
    ("Reid", "Reed"),
    ("Philips", "Phillips"),
    ("Gonzales", "Gonzalez"),
    ("Stevens", "Stephens"),
    ("Nielson", "Nielsen"),
    ("Hussein", "Hussain"),
    ("Rodrigues", "Rodriguez"),
    ("Li", "Lee"),
    ("Kowalsky", "Kowalski"),
    ("MacDonald", "McDonald"),
    ("Allan", "Allen"),
    ("Sanders", "Saunders"),
)

_STREETS: Final = """
    Alder Amberly Ashgrove Bancroft Beacon Birchwood Bluestem Bramble Briarfield Brookhaven Calloway
    Canyon Cedarcrest Chestnut Clover Copperfield Coral Cottonwood Cranberry Crestline Dogwood Driftwood
    Eagleton Elmhurst Fairmont Fernhill Foxglove Garnet Goldenrod Granger Greenbriar Harborview
    Hawthorne Hazelwood Heather Hickory Holloway Ironwood Juniper Kensington Kingfisher Larkspur Laurel
    Lindenwood Magnolia Maplecrest Marigold Meadowlark Millstone Mulberry Northfield Oakmont Orchard
    Palisade Pebble Pinecrest Poplar Prairie Quarry Ridgeway Riverbend Rosewood Saddleback Sagebrush
    Sandpiper Silverleaf Spruce Stonebridge Summit Sycamore Tamarack Thistle Thornbury Timberline Tupelo
    Valleyview Violet Walnut Waterford Westbrook Whitetail Willow
"""

STREETS: Final = tuple(_STREETS.split())
